import { isObject, type JsonObject, listOf, own, textOf } from "../json/values.js";
import { Removed, type Trace, textOrRemoved } from "./trace.js";

/** The reply to an evaluation. */
export interface Reply {
  /** HTTP status; 0 when there was no response. */
  readonly httpStatus: number;
  readonly requestId: string | undefined;
  readonly milliseconds: number;
  /** The record that the service made of the call. Absent where it made none. */
  readonly recordId?: string | undefined;
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
  return textOrRemoved(reply.body, "message") ?? textOf(reply.body, "error");
}

/** The failing places, when the input or the profile did not match its schema. */
export function issuesOf(reply: Reply, part: "input" | "profile"): readonly Issue[] {
  const status = part === "input" ? "INVALID_INPUT" : "INVALID_PROFILE";
  return isObject(reply.body) && reply.body["status"] === status ? issuesIn(reply.body) : [];
}

/** The failing places that an envelope lists. */
function issuesIn(envelope: JsonObject): readonly Issue[] {
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

/** What a reply says, for people: who decided, and why. */
interface Verdict {
  /** The rule that decided, where one did. */
  readonly rule: string | undefined;
  /** What to say where no rule decided. */
  readonly title: string;
  readonly reason: string | undefined;
  /** Whether the same call may get another result later. */
  readonly mayPass: boolean;
}

const titles: Readonly<Record<string, string>> = {
  NO_MATCH: "No rule matched",
  INVALID_INPUT: "The input is not valid",
  INVALID_PROFILE: "The profile is not valid",
  EVALUATION_FAILED: "The decision failed",
  "NO RESPONSE": "No response",
};

export function verdictOf(reply: Reply): Verdict {
  const meta = metaOf(reply);
  const rule = textOf(meta, "matchedRule");
  const status = statusOf(reply);
  const mayPass = reply.httpStatus === 0 || reply.httpStatus === 429 || reply.httpStatus >= 500;
  if (rule !== undefined) return { rule, title: "", reason: textOrRemoved(meta, "explanation"), mayPass };
  const wrong = [...issuesOf(reply, "input"), ...issuesOf(reply, "profile")].length;
  const title =
    titles[status] ?? (mayPass ? "The service could not respond" : "The service refused the call");
  const reason =
    wrong > 0 ? `${wrong} ${wrong === 1 ? "value needs" : "values need"} a change` : messageOf(reply);
  return { rule: undefined, title, reason: reasonBeside(title, reason) ?? unreadable(reply), mayPass };
}

/** A reason that says more than the title. */
function reasonBeside(title: string, reason: string | undefined): string | undefined {
  return reason === title || reason === "Evaluation failed" ? undefined : reason;
}

/** A proxy, say, replied with a page of its own. */
function unreadable({ httpStatus, body }: Reply): string | undefined {
  return body === undefined ? `The reply with HTTP status ${httpStatus} is not JSON` : undefined;
}

/** Stands in `meta.headline` for every value that has no words of its own. */
const anyValue = "*";

/**
 * The result in its author's words, such as `Approved · 4.9 %`. `meta.headline` has an entry for each output that belongs to
 * it, in order: words by value, or a text in which `{}` stands for the value.
 *
 * @returns `undefined` where the author has named none, or none applies
 */
export function headlineOf(meta: unknown, data: unknown): string | undefined {
  const named = isObject(meta) ? own(meta, "headline") : undefined;
  if (!isObject(named) || !isObject(data)) return undefined;
  const parts = Object.entries(named).flatMap(([output, entry]) => {
    const value = own(data, output);
    if (value instanceof Removed || (typeof value === "object" && value !== null) || value === undefined)
      return [];
    const words = isObject(entry) ? (textOf(entry, String(value)) ?? textOf(entry, anyValue)) : entry;
    return typeof words === "string" && words !== "" ? [words.replace("{}", () => figure(value))] : [];
  });
  return parts.length === 0 ? undefined : parts.join(" · ");
}

/** Whole numbers with separators; others as JSON has them, so that no digit is lost. */
export function figure(value: unknown): string {
  return typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) >= 10_000
    ? value.toLocaleString("en")
    : String(value);
}

/** One sentence for screen readers. @param meta - the decision's, in which the author may name the result */
export function announce(reply: Reply, meta?: unknown): string {
  const { rule, title, reason } = verdictOf(reply);
  const status = statusOf(reply).replaceAll("_", " ");
  const answer = headlineOf(meta, isObject(reply.body) ? reply.body["data"] : undefined);
  const subject = rule === undefined ? title : `${rule} decided`;
  return `${status}. ${answer === undefined ? "" : `${answer}. `}${subject}${reason === undefined ? "" : `: ${reason}`}`;
}

/** Rules that ended alike, one after another. */
interface RungRun {
  readonly state: RuleState;
  readonly rungs: readonly Rung[];
  /** Whether there are so many that a line says it for all of them. */
  readonly folded: boolean;
}

/** As many fit next to the outcome; more would push it off the screen. */
const mostShown = 6;

/** Before anything has run, this many say what a decision is about; the rest would push the page off the screen. */
const mostPending = 20;

/** The rules of a ladder, in order, with long runs of rules that ended alike folded. */
export function foldedRungs(rungs: readonly Rung[]): readonly RungRun[] {
  const runs: { state: RuleState; rungs: Rung[] }[] = [];
  for (const rung of rungs) {
    const last = runs.at(-1);
    if (last?.state === rung.state) last.rungs.push(rung);
    else runs.push({ state: rung.state, rungs: [rung] });
  }
  return runs.flatMap(({ state, rungs }): RungRun[] => {
    if (state === "hit" || rungs.length <= (state === "pending" ? mostPending : mostShown)) {
      return [{ state, rungs, folded: false }];
    }
    if (state !== "pending") return [{ state, rungs, folded: true }];
    return [
      { state, rungs: rungs.slice(0, mostShown), folded: false },
      { state, rungs: rungs.slice(mostShown), folded: true },
    ];
  });
}
