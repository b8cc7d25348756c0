import { DecernError, type Decision } from "@decern/core";
import { isDecision, program } from "@decern/core/tools";
import { type AnalysisOptions, analyzeModel } from "./analysis/analyze.js";
import type { TableAnalysis } from "./analysis/findings.js";
import { modelOf, type TableModel } from "./model.js";

export interface AnalyzeOptions {
  /** What rows refer to. @default the profile that the decision was given with `withProfile`, else `{}` */
  readonly profile?: unknown;
  /** Steps of some nanoseconds for each part of the analysis. @default 20,000,000 */
  readonly budget?: number | undefined;
  /** Overlaps and gaps after which no more are listed. @default 100 */
  readonly limit?: number | undefined;
}

/**
 * Says which inputs meet no row or several, and which rows have no effect. It is exact within what the input schema says of each
 * column: types, enums, bounds, whole numbers and multiples. What it could not decide is listed as such.
 *
 * It takes about a second for 5,000 rows, and blocks meanwhile: don't call it for large tables where requests are served.
 *
 * @param decision - that `readTable` or `defineTable` made
 * @throws DecernError `INVALID_OPTIONS` for a decision that no table makes, and for a profile that breaks its schema
 *
 * @example
 * ```ts
 * const { gaps, overlaps } = analyzeTable(decision, { profile: { limit: 20 } });
 * for (const { box, witness } of gaps) console.log(`No row: ${box.join(" | ")}, such as`, witness);
 * ```
 */
export function analyzeTable(decision: Decision, options: AnalyzeOptions = {}): TableAnalysis {
  const model = tableOf(decision, "/decision");
  const { inputSchema, outputSchema } = decision;
  return analyzeModel(model, { inputSchema, outputSchema }, settingsOf(decision, options));
}

/** @throws DecernError `INVALID_OPTIONS` for a decision that no table makes */
export function tableOf(decision: Decision, path: string): TableModel {
  const model = isDecision(decision) ? modelOf(decision) : undefined;
  if (model === undefined) throw invalid(path, "is not a decision that a table makes");
  return model;
}

/** @throws DecernError `INVALID_OPTIONS` with what is wrong */
export function settingsOf(decision: Decision, options: AnalyzeOptions): AnalysisOptions {
  const { budget = 20_000_000, limit = 100 } = options;
  for (const [name, value] of Object.entries({ budget, limit }))
    if (!(Number.isInteger(value) && value >= 1)) throw invalid(`/${name}`, "must be a whole number from 1");
  const result = decision.profileSchema["~standard"].validate(
    options.profile ?? decision[program].boundProfile,
  );
  if ("then" in result) throw invalid("/profile", "can't be validated: the schema is asynchronous");
  if (result.issues !== undefined) {
    const problems = result.issues.map(({ message }) => ({ path: "/profile", message }));
    throw new DecernError("INVALID_OPTIONS", { problems });
  }
  return { profile: result.value, budget, limit };
}

export function invalid(path: string, message: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { problems: [{ path, message }] });
}
