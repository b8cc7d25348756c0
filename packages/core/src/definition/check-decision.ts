import { DecernError } from "../errors.js";
import { program } from "./decision.js";

/**
 * Refuses what is no decision, such as the definition of one.
 *
 * @throws DecernError `INVALID_OPTIONS`
 */
export function checkDecision(decision: unknown): void {
  if (typeof decision === "object" && decision !== null && program in decision) return;
  throw new DecernError("INVALID_OPTIONS", {
    problems: [{ path: "/decision", message: "is no decision; make it with defineDecision" }],
  });
}
