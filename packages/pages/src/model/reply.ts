import { isObject, type JsonObject, listOf, textOf } from "./json.js";
import { textOrRemoved } from "./removed.js";
import type { Trace } from "./trace.js";

/** The reply to an evaluation. */
export interface Reply {
  /** HTTP status; 0 when there was no response. */
  readonly httpStatus: number;
  readonly requestId: string | undefined;
  readonly milliseconds: number;
  /** After how many seconds the service asks to try again. */
  readonly retryAfter?: number | undefined;
  /** Whether the page asked by itself, while somebody edited. */
  readonly live?: boolean | undefined;
  /** The parsed body; undefined when it was not JSON. */
  readonly body: unknown;
  /** The evaluations of other decisions that rules made. Absent when the page did not ask for them. */
  readonly trace?: Trace | undefined;
  /** The call, to tell which errors still apply to the form. */
  readonly sent: {
    readonly input: unknown;
    readonly profile: unknown;
    readonly profileName?: string | undefined;
  };
}

export interface Issue {
  readonly path: string;
  readonly message: string;
}

export type RuleState = "hit" | "miss" | "unreached" | "pending";

export interface Rung {
  readonly id: string;
  readonly state: RuleState;
  readonly explanation: string | undefined;
}

/** `status` of the envelope, else the code of the error. */
export function statusOf(reply: Reply): string {
  if (reply.httpStatus === 0) return "NO RESPONSE";
  if (!isObject(reply.body)) return `HTTP ${reply.httpStatus}`;
  return textOf(reply.body, "status") ?? textOf(reply.body, "code") ?? `HTTP ${reply.httpStatus}`;
}

/** How good a status is, as the name of a colour. */
export function toneOf(status: string): "good" | "open" | "bad" {
  if (status === "OK") return "good";
  return status === "NO_MATCH" ? "open" : "bad";
}

export function messageOf(reply: Reply): string | undefined {
  if (!isObject(reply.body)) return undefined;
  return textOf(reply.body, "message") ?? textOf(reply.body, "error");
}

/** The failing places, when the input or the profile did not match its schema. */
export function issuesOf(reply: Reply, part: "input" | "profile"): readonly Issue[] {
  const status = part === "input" ? "INVALID_INPUT" : "INVALID_PROFILE";
  return isObject(reply.body) && reply.body["status"] === status ? issuesIn(reply.body) : [];
}

/** The failing places that an envelope lists. */
export function issuesIn(envelope: JsonObject): readonly Issue[] {
  return (listOf(envelope, "errors") ?? []).flatMap((error) => {
    if (!isObject(error)) return [];
    return [{ path: textOf(error, "path") ?? "", message: textOf(error, "message") ?? "is invalid" }];
  });
}

/** Every rule of the decision, in order, with its outcome. */
export function ladderOf(ruleIds: readonly string[], reply: Reply | undefined): readonly Rung[] {
  return rungsOf(ruleIds, reply?.body, reply === undefined ? "pending" : "unreached");
}

/** Every rule of the decision, in order; those that an envelope does not list have the state given. */
export function rungsOf(ruleIds: readonly string[], envelope: unknown, state: RuleState): readonly Rung[] {
  const evaluated = evaluatedRungs(envelope);
  return ruleIds.map((id, index) => ({ ...(evaluated[index] ?? { state, explanation: undefined }), id }));
}

/** The rules that an envelope lists, with their outcome. */
export function evaluatedRungs(envelope: unknown): readonly Rung[] {
  return (listOf(metaIn(envelope), "evaluatedRules") ?? []).flatMap((entry): Rung[] => {
    if (!isObject(entry)) return [];
    const state = entry["matched"] === true ? "hit" : "miss";
    return [{ id: textOf(entry, "ruleId") ?? "", state, explanation: textOrRemoved(entry, "explanation") }];
  });
}

/** The version that evaluated a call, where the reply tells. The host may choose one for each call. */
export function versionOf(reply: Reply | undefined): string | undefined {
  return textOf(metaIn(reply?.body), "decisionVersion");
}

export function metaOf(reply: Reply): JsonObject {
  return metaIn(reply.body);
}

export function metaIn(envelope: unknown): JsonObject {
  const meta = isObject(envelope) ? envelope["meta"] : undefined;
  return isObject(meta) ? meta : {};
}
