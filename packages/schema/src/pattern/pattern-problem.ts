import { linearPattern } from "./linear-pattern.js";

/** Says what is wrong with a pattern: that it is none, or that it cannot be run in time that grows with the text. */
export function patternProblem(pattern: string, allowUnsafe: boolean): string | undefined {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    return `is no regular expression with the u flag: ${messageOf(error)}`;
  }
  if (allowUnsafe) return undefined;
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    return (
      `is a pattern with ${messageOf(error)}, which can keep the service busy; ` +
      "write it without, or pass { allowUnsafePatterns: true } where all callers are trusted"
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
