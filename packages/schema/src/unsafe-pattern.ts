import { createRequire } from "node:module";

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
  const report = analyse(expression);
  if (report === undefined) return undefined;
  const advice =
    report.type === "Move" ? "begin it with ^" : "let neighbouring repetitions share no character";
  return (
    `is a pattern that a long text can keep busy (repeat ${JSON.stringify(report.pick)}); ${advice}, ` +
    "or pass { allowUnsafePatterns: true } where callers are trusted"
  );
}

function analyse(expression: RegExp): { readonly type: string; readonly pick: string } | undefined {
  // Loaded when first needed: it takes longer than all the rest of this package.
  const scslre: typeof import("scslre") = require("scslre");
  const [report] = scslre.analyse(expression, { maxReports: 1 }).reports;
  return report && { type: report.type, pick: report.character.pick };
}
