import { createRequire } from "node:module";
import { mayBacktrack } from "./backtracking.js";

const require = createRequire(import.meta.url);
const unbounded = /[*+]|\{\d+,\}/;
const known = new Map<string, string | undefined>();

/**
 * Says what is wrong with a pattern: that it is none, or that the time it takes can grow faster than the text it is
 * matched against.
 */
export function patternProblem(pattern: string, allowUnsafe: boolean): string | undefined {
  const key = `${allowUnsafe ? "any" : "safe"} ${pattern}`;
  if (!known.has(key)) known.set(key, problemOf(pattern, allowUnsafe));
  return known.get(key);
}

function problemOf(pattern: string, allowUnsafe: boolean): string | undefined {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch (error) {
    return `is no regular expression with the u flag: ${error instanceof Error ? error.message : String(error)}`;
  }
  // Without unbounded repetition there is nothing to backtrack through, and the analyser need not even be loaded.
  if (allowUnsafe || !unbounded.test(pattern)) return undefined;
  const slow = analyse(expression, pattern);
  if (slow === undefined) return undefined;
  return `is a pattern that a long text can keep busy${slow}, or pass { allowUnsafePatterns: true } where callers are trusted`;
}

/** How it is slow, and what to do about it. */
function analyse(expression: RegExp, pattern: string): string | undefined {
  // Loaded when first needed: it takes longer than all the rest of this package.
  const scslre: typeof import("scslre") = require("scslre");
  const [report] = scslre.analyse(expression, { maxReports: 1 }).reports;
  const advice = "let neighbouring repetitions, and what stands in them, share no beginning";
  if (report !== undefined) {
    const text = ` (repeat ${JSON.stringify(report.character.pick)})`;
    return report.type === "Move" ? `${text}; begin it with ^` : `${text}; ${advice}`;
  }
  // That one knows only texts that repeat a single character.
  if (!mayBacktrack(pattern)) return undefined;
  return pattern.startsWith("^") ? `; ${advice}` : `; begin it with ^, and ${advice}`;
}
