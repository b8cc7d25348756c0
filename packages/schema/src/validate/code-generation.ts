import { DecernError } from "@decern/core";

let allowed = false;

/**
 * Makes sure that AJV will be able to compile: it writes JavaScript and runs it, which some processes forbid.
 *
 * @throws DecernError `INVALID_DECISION` where that is forbidden
 */
export function requireCodeGeneration(): void {
  if (allowed) return;
  try {
    // The way in which AJV does it.
    new Function("return true");
    allowed = true;
  } catch (cause) {
    throw new DecernError("INVALID_DECISION", {
      detail:
        "this process forbids making code from strings (--disallow-code-generation-from-strings, or a runtime without eval), and AJV needs it to compile a type; allow it, or use a schema library that does not need it",
      cause,
    });
  }
}
