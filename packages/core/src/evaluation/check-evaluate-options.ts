import { DecernError, type Problem } from "../errors.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import { isInstant, systemClock } from "./clock.js";

/**
 * Checks the options of an evaluation in process.
 *
 * @param owner - whose options they are, for the message
 * @param others - names of options that somebody else checks
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkEvaluateOptions(
  owner: string,
  options: unknown,
  others: readonly string[] = [],
): { readonly now: number; readonly requestId: string | undefined } {
  const problems: Problem[] = [];
  if (isJsonObject(options)) {
    const { now, requestId, ...rest } = options;
    const epochMs = now === undefined ? systemClock.now() : instantOf(now);
    const known = [...others, "now", "requestId"].join(", ");
    for (const name of Object.keys(rest)) {
      if (others.includes(name)) continue;
      problems.push({ path: `/${escapePointer(name)}`, message: `is unknown; valid names are ${known}` });
    }
    if (epochMs === undefined) problems.push({ path: "/now", message: "must be a valid Date" });
    const isText = requestId === undefined || typeof requestId === "string";
    if (!isText) problems.push({ path: "/requestId", message: "must be a string" });
    if (problems.length === 0 && epochMs !== undefined && isText) return { now: epochMs, requestId };
  } else {
    problems.push({ path: "", message: "options must be an object" });
  }
  throw new DecernError("INVALID_OPTIONS", { detail: owner, problems });
}

function instantOf(date: unknown): number | undefined {
  const epochMs = date instanceof Date ? date.getTime() : undefined;
  return isInstant(epochMs) ? epochMs : undefined;
}
