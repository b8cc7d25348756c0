/** An expression that FEEL's grammar does not have. */
export class FeelSyntaxError extends Error {
  override readonly name = "FeelSyntaxError";
  /** Where, in UTF-16 code units. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
