import type { RecordedEvaluation, Result, UsedEvaluation } from "@decern/core";
import { toErrorReply } from "@decern/core/host";
import { pointerTokens } from "@decern/core/schema";
import { canonicalForm, canonicalJson, program } from "@decern/core/tools";
import { emptyObject, type Json, type JsonObject, plainJson, wellFormed } from "../text/plain-json.js";
import { Leaks, sweep } from "./leaks.js";
import { cutOut, type MaskPath, type Removed, removeMasked, removeMember } from "./masks.js";
import { keepUsed, type PayloadContext, PayloadText, payloadText } from "./payload-text.js";

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
  return withoutInputs(evaluation, context) ?? swept(evaluation, context);
}

/**
 * The usual case, without a copy of the whole payload: texts and numbers of the input are masked, and none of them occurs in what is
 * left. That is searched as one text, which finds whatever a search of each member would.
 *
 * @returns `undefined` for all other cases
 */
function withoutInputs(evaluation: RecordedEvaluation, context: PayloadContext): MaskedPayload | undefined {
  const { decision, used } = evaluation;
  const paths = context.masks.of(decision.id);
  if (used.length > 0 || paths.some(([member]) => member !== "input")) return undefined;
  const removed: Removed = { pointers: [], values: [] };
  let { input } = evaluation;
  for (const path of paths) {
    const cut = path.length === 1 ? undefined : cutOut(input, path, 1, "/input", removed);
    if (cut === undefined) return undefined;
    input = cut.rest;
  }
  const payload = payloadText(evaluation, context, input);
  if (payload === undefined) return undefined;
  const leaks = new Leaks(removed.values, () => context.masks.declared(decision));
  // Escapes would hide a text, and letters beyond ASCII have several forms.
  if (!leaks.isEmpty && (!unescaped.test(payload.before) || leaks.isIn(payload.before, true)))
    return undefined;
  return { payload, masked: outermost(removed.pointers) };
}

const unescaped = /^[ -[\]-~]*$/;

function swept(evaluation: RecordedEvaluation, context: PayloadContext): MaskedPayload {
  const { decision, input, profile, result, error, used } = evaluation;
  const uncarried: string[] = [];
  const payload = emptyObject();
  const put = (name: string, value: unknown, text: string | undefined): void => {
    if (text === undefined) putPlain(payload, name, value, `/${name}`, uncarried);
    else payload[name] = JSON.parse(text);
  };
  if (error !== undefined) {
    const { code, message } = toErrorReply(error);
    payload["error"] = { code: wellFormed(code), message: wellFormed(message) };
  }
  put("input", input, canonicalJson(input));
  if (context.writesProfile) put("profile", profile, canonicalJson(profile));
  if (result !== undefined) {
    const text = decision[program].canonicalText(result);
    put("result", text === undefined ? sent(decision, result) : result, text);
  }
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
    const { profileHash, contentHash } = keepUsed(one, context);
    const json = emptyObject();
    Object.assign(json, { id: wellFormed(id), version: wellFormed(version), profileHash });
    if (contentHash !== undefined) json["contentHash"] = contentHash;
    putPlain(json, "result", sent(one.decision, one.result), `${pointer}/result`, uncarried);
    if (one.used.length > 0)
      json["used"] = usedJson(one.used, context, `${pointer}/used`, removed, uncarried);
    for (const path of context.masks.of(one.decision.id)) maskUsed(one, json, path, pointer, removed);
    return json;
  });
}

/** A mask also covers a decision that is used. Its input is not in the record, but may occur in other places. */
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

/** Leaves out pointers to what is within a masked value. Their names count as masked. */
function outsideMasks(uncarried: readonly string[], { pointers }: Removed, leaks: Leaks): readonly string[] {
  const masked = new Set(pointers);
  return uncarried.filter((pointer) => {
    const outer = around(pointer, masked);
    if (outer === undefined) return true;
    for (const name of pointerTokens(pointer.slice(outer.length))) leaks.addName(name);
    return false;
  });
}

/** Pointers to what JSON cannot carry contain names, which may be masked values themselves. */
function hideNames(payload: JsonObject, uncarried: readonly string[], leaks: Leaks, removed: Removed): void {
  for (const pointer of uncarried) {
    const names = pointer.split("/").slice(2);
    const member = pointer.split("/")[1] ?? "";
    if (names.some((name) => leaks.isIn(name))) removeMember(payload, member, `/${member}`, removed);
  }
}

/** Leaves out pointers that are within others. */
function outermost(pointers: readonly string[]): readonly string[] {
  if (pointers.length < 2) return pointers;
  const all = new Set(pointers);
  return [...all].filter((pointer) => around(pointer, all) === undefined).sort();
}

/** The pointer that contains a place. */
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
  const used = payload["used"] === undefined ? "" : `"used":${written(payload["used"])}`;
  return new PayloadText(before.join(), used);
}

function written(json: Json | undefined): string {
  const text = canonicalForm(json);
  if (text === undefined) throw new TypeError("the payload has no canonical form");
  return text;
}
