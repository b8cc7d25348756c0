import { type Decision, type InputView, program } from "./decision.js";

/**
 * A decision whose rules get their input through a function, for tools that watch what rules read.
 *
 * @param view - gets every input that has passed validation, and returns what rules see. It must not throw
 */
export function withInputView<Output>(
  decision: Decision<unknown, Output>,
  view: InputView,
): Decision<unknown, Output> {
  return Object.freeze({ ...decision, [program]: decision[program].through(view) });
}
