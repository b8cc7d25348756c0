import { type Decision, type InputView, program } from "./decision.js";

/**
 * A decision whose rules get their input through a function, for tools that watch what rules read.
 *
 * @param view - gets every input that has passed validation, and returns what rules see. It must not throw
 * @param explains - whether rules are asked for an explanation. Otherwise each has the text of a rule without one. @default true
 */
export function withInputView<Output>(
  decision: Decision<unknown, Output>,
  view: InputView,
  explains = true,
): Decision<unknown, Output> {
  return Object.freeze({ ...decision, [program]: decision[program].through(view, explains) });
}
