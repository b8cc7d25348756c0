/** Someone who evaluates a decision: the answer, in its own shape, to one input. */
export interface Contestant {
  readonly name: string;
  readonly asynchronous: boolean;
  readonly evaluate: (input: unknown) => unknown;
  /** What an answer says, for the check before it is timed. */
  readonly read: (answer: unknown) => Answer;
}

/** The parts of an answer that everyone has, as far as they have them. */
export interface Answer {
  readonly status: string;
  readonly rule?: string | undefined;
  readonly data?: unknown;
  /** JSON Pointers of what is wrong, sorted. */
  readonly failing?: readonly string[] | undefined;
}
