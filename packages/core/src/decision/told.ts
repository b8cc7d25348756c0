import { canonicalForm, equalsJson } from "../base/canonical-json.js";
import { DecernError, toErrorReply } from "../base/errors.js";
import { isJsonObject } from "../base/json-schema.js";
import { type Decision, program } from "./decision.js";
import type { Outcome } from "./evaluate.js";
import type { Result, ResultStatus } from "./result.js";

/** How a call ended, as callers and records have it: with an envelope, or an error. */
export interface ToldOutcome {
  /** As JSON. */
  readonly envelope?: unknown;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** What callers would have seen of an evaluation. */
export function outcomeOf(
  decision: Decision,
  { result, error }: Pick<Outcome, "result" | "error">,
): ToldOutcome {
  if (result === undefined) return { error: toldOf(error) };
  try {
    return { envelope: envelopeOf(decision, result) };
  } catch (cause) {
    // No reply could carry this output.
    return { error: toldOf(new DecernError("EVALUATION_FAILED", { cause })) };
  }
}

/**
 * The envelope as callers read it.
 *
 * @throws for an output that JSON cannot carry: a reply with it would have failed
 */
export function envelopeOf(decision: Decision, result: Result): unknown {
  const envelope: unknown = JSON.parse(decision[program].stringify(result));
  return envelope;
}

/** Compares status, rule and output, or the code of the error. Versions and explanations may differ. */
export function isSameOutcome(one: ToldOutcome, other: ToldOutcome): boolean {
  if (one.error !== undefined || other.error !== undefined) return one.error?.code === other.error?.code;
  const first = essenceOf(one.envelope);
  const second = essenceOf(other.envelope);
  return first.status === second.status && first.rule === second.rule && isSameJson(first.data, second.data);
}

/** Whether two values are the same JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return equalsJson(one, other) ?? canonicalForm(one) === canonicalForm(other);
}

function essenceOf(envelope: unknown): {
  readonly status: unknown;
  readonly rule: unknown;
  readonly data: unknown;
} {
  const { status, data, meta } = isJsonObject(envelope) ? envelope : {};
  return { status, rule: isJsonObject(meta) ? meta["matchedRule"] : undefined, data };
}

function toldOf(error: DecernError | undefined): NonNullable<ToldOutcome["error"]> {
  const { code, message } = toErrorReply(error);
  return { code, message };
}

/** The HTTP status of each envelope. */
export const RESULT_HTTP_STATUS = {
  OK: 200,
  NO_MATCH: 200,
  INVALID_INPUT: 400,
  INVALID_PROFILE: 400,
} as const satisfies Record<ResultStatus, number>;
