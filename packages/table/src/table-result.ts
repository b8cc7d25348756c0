import { type DecernError, type Decision, defineDecision, type Logic, type Schema } from "@decern/core";
import { evaluateCall, isSameJson } from "@decern/core/tools";
import type { TableContract } from "./contract/contract.js";

/** One call of a table. */
export interface TableCall {
  readonly input: unknown;
  readonly profile: unknown;
  /** Milliseconds since the Unix epoch: the instant of the call. */
  readonly nowMs: number;
}

/** What an input evaluates to. */
export interface TableResult {
  readonly status: "OK" | "NO_MATCH" | "INVALID_INPUT" | "INVALID_PROFILE" | "ERROR";
  readonly data?: unknown;
  /** Ids of the rows that decide. */
  readonly rules: readonly string[];
  /** Of an error: what happened. */
  readonly message?: string;
}

/** Evaluates one call of a table. */
export function resultOf(decision: Decision, { input, profile, nowMs }: TableCall): TableResult {
  const { result, error } = evaluateCall({ decision, input, profile, epochMs: nowMs, requestId: "table" });
  if (result === undefined) return { status: "ERROR", rules: [], message: messageOf(error) };
  const { meta } = result;
  const traces = "evaluatedRules" in meta ? meta.evaluatedRules : [];
  const rules = traces.filter(({ matched }) => matched).map(({ ruleId }) => ruleId);
  return { status: result.status, ...("data" in result ? { data: result.data } : {}), rules };
}

/**
 * Evaluates calls of a table that is open, as its decision does.
 *
 * @param contract - of the table
 */
export function tableEvaluator(
  { id, inputSchema, outputSchema, profileSchema }: TableContract,
  { logic }: { readonly logic: Logic },
): (call: TableCall) => TableResult {
  const decision = defineDecision<Schema, Schema, Schema, string>({
    id,
    version: "open",
    inputSchema,
    outputSchema,
    profileSchema,
    logic,
  });
  return (call) => resultOf(decision, call);
}

function messageOf(error: DecernError): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

export function isSameResult(one: TableResult, other: TableResult): boolean {
  return one.status === other.status && isSameJson(one.data, other.data);
}
