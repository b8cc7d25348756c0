/** Handed to rules as third argument, so that nothing reads a clock of its own. */
export interface RuleContext {
  /** The instant of `meta.evaluatedAt`. */
  readonly now: Date;
  readonly requestId: string;
}
