import { DecernError } from "@decern/core";

let allowed = false;

/**
 * Checks that AJV can compile. It generates JavaScript and runs it, which some processes forbid.
 *
 * @throws DecernError `INVALID_DECISION` if code generation is forbidden
 */
export function requireCodeGeneration(): void {
  if (allowed) return;
  try {
    // AJV generates code in the same way.
    new Function("return true");
    allowed = true;
  } catch (cause) {
    throw new DecernError("INVALID_DECISION", {
      detail:
        "this process forbids generating code from strings (--disallow-code-generation-from-strings, or a runtime without eval), which AJV needs to compile a type; allow it, or use a schema library that does not need it",
      cause,
    });
  }
}
