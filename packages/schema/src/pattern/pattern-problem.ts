import { linearPattern } from "./linear-pattern.js";

/** Describes the problem with a pattern: it is invalid, or it cannot be run in time proportional to the text. */
export function patternProblem(pattern: string, allowUnsafe: boolean): string | undefined {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    return `is not a valid regular expression with the u flag: ${messageOf(error)}`;
  }
  if (allowUnsafe) return undefined;
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    return (
      `is a pattern with ${messageOf(error)}, which can keep the service busy; ` +
      "rewrite it, or pass { allowUnsafePatterns: true } if you trust every caller"
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
