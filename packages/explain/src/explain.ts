import type { ExplainFeature } from "@decern/core";
import { checkOptions, feature, optionKinds } from "@decern/core/tools";
import { explainCall } from "./explain-call.js";

/** Options of `explain`. */
export interface ExplainOptions {
  /** How many evaluations one request may cost at most. @default 5000 */
  readonly maxEvaluations?: number | undefined;
}

const { wholeNumber } = optionKinds;

/**
 * Lets a server tell which change of an input would change the result: pass what this returns to `createServer` as `explain`.
 *
 * @throws DecernError `INVALID_OPTIONS` for unknown or invalid options
 *
 * @example
 * ```ts
 * createServer({ decisions, explain: explain({ maxEvaluations: 2000 }) });
 * ```
 */
export function explain(options: ExplainOptions = {}): ExplainFeature {
  checkOptions("explain", options, { kinds: { maxEvaluations: wholeNumber } });
  const { maxEvaluations = 5000 } = options;
  return {
    [feature]: "explain",
    enabled: true,
    explain: (decision, call) => explainCall(decision, call, maxEvaluations),
  };
}
