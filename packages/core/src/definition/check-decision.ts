import { DecernError } from "../errors.js";
import { isDecision } from "./decision.js";

/**
 * Refuses what is not a decision, such as the definition of one.
 *
 * @throws DecernError `INVALID_OPTIONS`
 */
export function checkDecision(decision: unknown): void {
  if (isDecision(decision)) return;
  throw new DecernError("INVALID_OPTIONS", {
    problems: [{ path: "/decision", message: "is not a decision; make it with defineDecision" }],
  });
}
