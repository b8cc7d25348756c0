import type { Responses } from "../document/document.js";

/** How a host takes calls, and what it replies. */
export interface CallHost {
  /** What a body has: fields, or nothing but the input itself. */
  readonly body: "input" | "input and profile" | "bare input";
  /** Whether a body may not have a profile and the name of one together. */
  readonly eitherProfile: boolean;
  /** Names of the profiles that a body may choose. */
  profileNames(decisionId: string): readonly string[];
  /** Whether calls are recorded. */
  readonly records: boolean;
  /**
   * Every response except 200.
   *
   * @param isPinned - whether the path names the version
   */
  responses(isPinned: boolean): Responses;
}
