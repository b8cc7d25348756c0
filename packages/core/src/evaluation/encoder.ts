import type { DecernError } from "../errors.js";
import type { Result } from "../program/result.js";
import type { Evaluation } from "./evaluation.js";

/**
 * What the caller of an evaluation receives when it ends: the result itself in process, a reply over HTTP. It is made
 * before hooks and observers see the evaluation, so nothing they do can change it.
 */
export interface Encoder<Output, Ended> {
  /**
   * Whether calls may come from outside the process. Then a value with too many levels is refused before anything looks
   * into it; in process that shows when something fails.
   */
  readonly takesRequests: boolean;
  /** May throw: the evaluation then failed. */
  result(result: Result<Output>, evaluation: Evaluation): Ended;
  fault(error: DecernError, evaluation: Evaluation): Ended;
}
