/** A statement of SQL and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}
