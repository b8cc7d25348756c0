import type { DecisionRecord } from "@decern/core";
import type { Outcome } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import type { CallOutcome, Verdict } from "../report/replay-report.js";

/** What became of one record. */
export interface Judgement {
  readonly verdict: Verdict;
  /** For everything but `unchanged` and `changed`. */
  readonly reason: string | undefined;
  /** Whether an evaluation on the recorded revision was held against the record. */
  readonly isControlled: boolean;
  /** Absent where there was nothing to compare. */
  readonly before: Ending | undefined;
  /** Of an unchanged record it has the same output as `before`. */
  readonly after: Ending | undefined;
  readonly isExplainedDifferently: boolean;
}

/** Whether a payload was erased. One that was never written is masked as a whole. */
export function isErased({ payload, masked }: DecisionRecord): boolean {
  return payload === null && !masked.includes("");
}

/** A record that there is nothing to compare of. */
export function withoutComparison(
  verdict: "skipped" | "inconclusive" | "notReproducible",
  reason: string,
  isControlled = false,
): Judgement {
  return {
    verdict,
    reason,
    isControlled,
    before: undefined,
    after: undefined,
    isExplainedDifferently: false,
  };
}

/** A record that the control run does not confirm. */
export function notReproducible(difference: string): Judgement {
  return withoutComparison("notReproducible", difference, true);
}

/** How a call ended: as its record says, or as an evaluation did. */
export interface Ending extends Outcome {
  /** Such as `OK/prime-rate`. */
  readonly outcome: string;
  readonly version: string;
}

/** The outcome of a call as its record has it. */
export function recordedEnding({ status, matchedRule, decision, payload }: DecisionRecord): Ending {
  const error = status === "ERROR" ? payload?.error : undefined;
  const outcome =
    status === "OK" ? okOutcome(matchedRule) : status === "ERROR" ? `ERROR/${error?.code ?? "?"}` : status;
  return { outcome, version: decision.version, envelope: payload?.result, error };
}

/** The outcome of an evaluation. */
export function evaluatedEnding(version: string, { envelope, error }: Outcome): Ending {
  if (error !== undefined) return { outcome: `ERROR/${error.code}`, version, error };
  const { status, meta } = isJsonObject(envelope) ? envelope : {};
  const rule = isJsonObject(meta) ? meta["matchedRule"] : undefined;
  const outcome = status === "OK" ? okOutcome(typeof rule === "string" ? rule : undefined) : String(status);
  return { outcome, version, envelope };
}

export function dataOf({ envelope }: Outcome): unknown {
  return isJsonObject(envelope) ? envelope["data"] : undefined;
}

/** What a caller is told of the reasons. */
export function explanationOf({ envelope }: Outcome): string | undefined {
  if (!isJsonObject(envelope)) return undefined;
  const { meta, message } = envelope;
  const explanation = isJsonObject(meta) ? meta["explanation"] : undefined;
  if (typeof explanation === "string") return explanation;
  return typeof message === "string" ? message : undefined;
}

/** An ending as reports have it. */
export function toCallOutcome(ending: Ending): CallOutcome {
  const { outcome, version, error } = ending;
  const data = dataOf(ending);
  const explanation = explanationOf(ending);
  return {
    outcome,
    version,
    ...(data === undefined ? {} : { data }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

const okOutcomes = new Map<string, string>();

/** Texts that were put together at run time are slow as keys, and a decision has few rules. */
const maxKept = 10_000;

function okOutcome(rule: string | undefined): string {
  if (rule === undefined) return "OK";
  const known = okOutcomes.get(rule);
  if (known !== undefined) return known;
  const outcome = `OK/${rule}`;
  if (okOutcomes.size < maxKept) okOutcomes.set(rule, outcome);
  return outcome;
}
