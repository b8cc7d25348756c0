import type { Decision, RecordedEvaluation, UsedEvaluation } from "@decern/core";
import { toErrorReply } from "@decern/core/host";
import { canonicalJson, program } from "@decern/core/tools";
import { sha256 } from "../text/hashing.js";
import { plainJson, quote } from "../text/plain-json.js";
import type { Masks } from "./masks.js";
import type { KeptDocument } from "./record-store.js";

/** The canonical text of a payload, around its salt. */
export class PayloadText {
  /** Members whose names sort before `salt`, without commas at the ends. */
  readonly before: string;
  /** Members after it. */
  readonly after: string;

  constructor(before: string, after: string) {
    this.before = before;
    this.after = after;
  }
}

export interface PayloadContext {
  readonly masks: Masks;
  readonly texts: KeptTexts;
  /** Receives what the decisions used are named by. */
  readonly kept: KeptDocument[];
  readonly writesProfile: boolean;
}

/**
 * The payload of an evaluation, or `undefined` if something has to be removed from it.
 *
 * @param input - @default that of the evaluation
 */
export function payloadText(
  { decision, input: given, profile, result, error, used }: RecordedEvaluation,
  context: PayloadContext,
  input: unknown = given,
): PayloadText | undefined {
  // Built without a trailing comma: cutting it off would copy the text.
  let before = error === undefined ? "" : `"error":${errorText(error)}`;
  if (input !== undefined) {
    const text = canonicalJson(input);
    if (text === undefined) return undefined;
    before += before === "" ? `"input":${text}` : `,"input":${text}`;
  }
  if (context.writesProfile) {
    const text = canonicalJson(profile);
    if (text === undefined) return undefined;
    before += before === "" ? `"profile":${text}` : `,"profile":${text}`;
  }
  if (result !== undefined) {
    const text = decision[program].canonicalText(result);
    if (text === undefined) return undefined;
    before += before === "" ? `"result":${text}` : `,"result":${text}`;
  }
  if (used.length === 0) return new PayloadText(before, "");
  const list = usedText(used, context);
  return list === undefined ? undefined : new PayloadText(before, `"used":${list}`);
}

function errorText(error: unknown): string {
  const { code, message } = toErrorReply(error);
  return `{"code":${quote(code)},"message":${quote(message)}}`;
}

function usedText(used: readonly UsedEvaluation[], context: PayloadContext): string | undefined {
  let text = "[";
  for (const one of used) {
    const { id, version } = one.decision;
    const result = one.decision[program].canonicalText(one.result);
    const own = one.used.length === 0 ? "" : usedText(one.used, context);
    if (result === undefined || own === undefined) return undefined;
    const { profileHash, contentHash } = keepUsed(one, context);
    const content = contentHash === undefined ? "" : `"contentHash":${quote(contentHash)},`;
    const rest = own === "" ? "" : `"used":${own},`;
    text += `${text === "[" ? "" : ","}{${content}"id":${quote(id)},"profileHash":"${profileHash}","result":${result},${rest}"version":${quote(version)}}`;
  }
  return `${text}]`;
}

/** Keeps the documents that a decision used is named by. @returns their hashes */
export function keepUsed(
  { decision, profile }: UsedEvaluation,
  { texts, kept }: PayloadContext,
): { readonly profileHash: string; readonly contentHash: string | undefined } {
  const content = texts.content(decision);
  const keptProfile = texts.profile(profile);
  kept.push(keptProfile);
  if (content !== undefined) kept.push(content);
  return { profileHash: keptProfile.hash, contentHash: content?.hash };
}

type LogicContent = NonNullable<Decision[typeof program]["content"]>;

/** This many profiles that are not frozen are remembered by their text: callers may send a different one each time. */
const maxRemembered = 200;
const maxRememberedLength = 20_000;

/** Writes and hashes each document once, if it cannot change. */
export class KeptTexts {
  readonly #contents = new WeakMap<LogicContent, KeptDocument>();
  readonly #frozen = new WeakMap<object, KeptDocument>();
  readonly #byText = new Map<string, KeptDocument>();

  /** What a decision of `logic` was made from; `undefined` for one of rules. */
  content(decision: Decision): KeptDocument | undefined {
    const { content } = decision[program];
    if (content === undefined) return undefined;
    const known = this.#contents.get(content);
    if (known !== undefined) return known;
    const { hash, mediaType, document } = content;
    const made = { key: `content ${hash}`, hash, text: canonicalJson(document) ?? "null", mediaType };
    this.#contents.set(content, made);
    return made;
  }

  profile(profile: unknown): KeptDocument {
    if (typeof profile !== "object" || profile === null) return this.#make(profile);
    const known = this.#frozen.get(profile);
    if (known !== undefined) return known;
    const made = this.#make(profile);
    if (isDeepFrozen(profile)) this.#frozen.set(profile, made);
    return made;
  }

  #make(profile: unknown): KeptDocument {
    const text = canonicalJson(profile) ?? carried(profile) ?? "null";
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const hash = sha256(text);
    const made = { key: hash, hash, text, mediaType: undefined };
    if (text.length > maxRememberedLength) return made;
    if (this.#byText.size >= maxRemembered) this.#byText.clear();
    this.#byText.set(text, made);
    return made;
  }
}

function carried(profile: unknown): string | undefined {
  try {
    return canonicalJson(plainJson(profile).json);
  } catch {
    // A getter threw. The decision has read the profile, but it cannot be recorded.
    return undefined;
  }
}

/** More than canonical JSON has. */
const maxLevels = 501;

/** Whether a value is deeply frozen. Accessors, and objects that keep their content elsewhere, count as open. */
function isDeepFrozen(value: unknown, levels = maxLevels): boolean {
  if (typeof value === "function" || levels === 0) return false;
  if (typeof value !== "object" || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null || Array.isArray(value);
  if (!isPlain || !Object.isFrozen(value)) return false;
  return Object.values(Object.getOwnPropertyDescriptors(value)).every(
    (property) => property.get === undefined && isDeepFrozen(property.value, levels - 1),
  );
}

/** The line that keeps a document in a file, with its line break. The members are in the order of canonical JSON. */
export function keptLine({ hash, text, mediaType }: KeptDocument): string {
  return mediaType === undefined
    ? `{"profile":${text},"profileHash":${quote(hash)},"recordVersion":1}\n`
    : `{"content":${text},"contentHash":${quote(hash)},"mediaType":${quote(mediaType)},"recordVersion":1}\n`;
}
