import type { RecordedEvaluation, Result, UsedEvaluation } from "@decern/core";
import { toErrorReply } from "@decern/core/host";
import { canonicalParsed, program } from "@decern/core/tools";
import { emptyObject, type Json, type JsonObject, plainJson, wellFormed } from "../text/plain-json.js";
import { Leaks, sweep } from "./leaks.js";
import { type MaskPath, parseMaskPath, type Removed, removeMasked, removeMember } from "./masks.js";
import type { PayloadContext, PayloadText } from "./payload-text.js";

/** A payload from which something was removed. */
export interface MaskedPayload {
  readonly payload: PayloadText;
  /** JSON Pointers of what was removed. */
  readonly masked: readonly string[];
}

/**
 * The payload of an evaluation without what is masked, and without what JSON cannot carry.
 *
 * @throws what a getter or a proxy in the evaluation throws
 */
export function maskedPayload(evaluation: RecordedEvaluation, context: PayloadContext): MaskedPayload {
  const { decision, input, profile, result, error, used } = evaluation;
  const uncarried: string[] = [];
  const payload = emptyObject();
  const put = (name: string, value: unknown): void => putPlain(payload, name, value, `/${name}`, uncarried);
  if (error !== undefined) {
    const { code, message } = toErrorReply(error);
    payload["error"] = { code: wellFormed(code), message: wellFormed(message) };
  }
  put("input", input);
  if (context.writesProfile) put("profile", profile);
  if (result !== undefined) put("result", sent(decision, result));
  const removed: Removed = { pointers: [], values: [] };
  if (used.length > 0) payload["used"] = usedJson(used, context, "/used", removed, uncarried);
  for (const path of context.masks.of(decision.id)) removeMasked(payload, path, removed);
  const leaks = new Leaks(removed.values, () => context.masks.declared(decision));
  const visible = uncarried.length === 0 ? uncarried : outsideMasks(uncarried, removed, leaks);
  if (!leaks.isEmpty) {
    sweep(payload, leaks, removed);
    hideNames(payload, visible, leaks, removed);
  }
  return { payload: textOf(payload), masked: outermost([...removed.pointers, ...uncarried]) };
}

function putPlain(
  target: JsonObject,
  name: string,
  value: unknown,
  pointer: string,
  uncarried: string[],
): void {
  if (value === undefined) return;
  const { json, removed } = plainJson(value, pointer);
  for (const place of removed) uncarried.push(place);
  if (json !== undefined) target[name] = json;
}

/** The envelope as it is sent. */
function sent(decision: RecordedEvaluation["decision"], result: Result): unknown {
  try {
    return JSON.parse(decision[program].stringify(result));
  } catch {
    // It has no JSON form, and was returned in process.
    return result;
  }
}

function usedJson(
  used: readonly UsedEvaluation[],
  context: PayloadContext,
  at: string,
  removed: Removed,
  uncarried: string[],
): Json {
  return used.map((one, index) => {
    const pointer = `${at}/${index}`;
    const { id, version } = one.decision;
    const profile = context.profiles.of(one.profile);
    context.usedProfiles.push(profile);
    const json = emptyObject();
    Object.assign(json, { id: wellFormed(id), version: wellFormed(version), profileHash: profile.hash });
    putPlain(json, "result", sent(one.decision, one.result), `${pointer}/result`, uncarried);
    if (one.used.length > 0)
      json["used"] = usedJson(one.used, context, `${pointer}/used`, removed, uncarried);
    for (const path of context.masks.of(one.decision.id)) maskUsed(one, json, path, pointer, removed);
    return json;
  });
}

/** A mask covers a decision where it is used, too. Its input is not written there, but may turn up elsewhere. */
function maskUsed(
  used: UsedEvaluation,
  json: JsonObject,
  path: MaskPath,
  pointer: string,
  removed: Removed,
): void {
  if (path[0] === "result") removeMasked(json, path, removed, pointer);
  if (path[0] !== "input") return;
  const unwritten = emptyObject();
  putPlain(unwritten, "input", used.input, "", []);
  removeMasked(unwritten, path, { pointers: [], values: removed.values });
}

/** Leaves out pointers to what is within a masked value. Names in them are masked: what JSON cannot carry is not in the value. */
function outsideMasks(uncarried: readonly string[], { pointers }: Removed, leaks: Leaks): readonly string[] {
  const masked = new Set(pointers);
  return uncarried.filter((pointer) => {
    const outer = around(pointer, masked);
    if (outer === undefined) return true;
    for (const name of parseMaskPath(pointer.slice(outer.length))) leaks.addName(name);
    return false;
  });
}

/** The pointers of what JSON cannot carry have names in them, which may be masked values themselves. */
function hideNames(payload: JsonObject, uncarried: readonly string[], leaks: Leaks, removed: Removed): void {
  for (const pointer of uncarried) {
    const names = pointer.split("/").slice(2);
    const member = pointer.split("/")[1] ?? "";
    if (names.some((name) => leaks.isIn(name))) removeMember(payload, member, `/${member}`, removed);
  }
}

/** Leaves out pointers to what is within what another points to. */
function outermost(pointers: readonly string[]): readonly string[] {
  const all = new Set(pointers);
  return [...all].filter((pointer) => around(pointer, all) === undefined).sort();
}

/** One of the pointers, to what a place is within. */
function around(place: string, pointers: ReadonlySet<string>): string | undefined {
  for (let end = place.lastIndexOf("/"); end > 0; end = place.lastIndexOf("/", end - 1)) {
    const outer = place.slice(0, end);
    if (pointers.has(outer)) return outer;
  }
  return undefined;
}

function textOf(payload: JsonObject): PayloadText {
  const names = Object.keys(payload).filter((name) => name !== "used");
  const before = names.sort().map((name) => `"${name}":${written(payload[name])}`);
  return {
    before: before.join(),
    after: payload["used"] === undefined ? "" : `"used":${written(payload["used"])}`,
  };
}

function written(json: Json | undefined): string {
  const text = canonicalParsed(json);
  if (text === undefined) throw new TypeError("the payload has no canonical form");
  return text;
}
