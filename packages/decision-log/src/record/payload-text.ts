import type { RecordedEvaluation, UsedEvaluation } from "@decern/core";
import { toErrorReply } from "@decern/core/host";
import { canonicalJson, program } from "@decern/core/tools";
import { sha256 } from "../text/hashing.js";
import { plainJson, quote } from "../text/plain-json.js";
import type { Masks } from "./masks.js";

/** The canonical text of a payload, around its salt. */
export interface PayloadText {
  /** Members whose names sort before `salt`, without commas at the ends. */
  readonly before: string;
  /** Members after it. */
  readonly after: string;
}

export interface PayloadContext {
  readonly masks: Masks;
  readonly profiles: ProfileTexts;
  readonly usedProfiles: ProfileText[];
  readonly writesProfile: boolean;
}

/**
 * The payload of an evaluation, or `undefined` if something has to be removed from it.
 *
 * @param input - @default that of the evaluation
 */
export function payloadText(
  { decision, input: given, profile, result, error, used }: RecordedEvaluation,
  { profiles, usedProfiles, writesProfile }: PayloadContext,
  input: unknown = given,
): PayloadText | undefined {
  // Built without a trailing comma: cutting it off would copy the text.
  let before = error === undefined ? "" : `"error":${errorText(error)}`;
  if (input !== undefined) {
    const text = canonicalJson(input);
    if (text === undefined) return undefined;
    before += before === "" ? `"input":${text}` : `,"input":${text}`;
  }
  if (writesProfile) {
    const text = canonicalJson(profile);
    if (text === undefined) return undefined;
    before += before === "" ? `"profile":${text}` : `,"profile":${text}`;
  }
  if (result !== undefined) {
    const text = decision[program].canonicalText(result);
    if (text === undefined) return undefined;
    before += before === "" ? `"result":${text}` : `,"result":${text}`;
  }
  if (used.length === 0) return { before, after: "" };
  const list = usedText(used, profiles, usedProfiles);
  return list === undefined ? undefined : { before, after: `"used":${list}` };
}

function errorText(error: unknown): string {
  const { code, message } = toErrorReply(error);
  return `{"code":${quote(code)},"message":${quote(message)}}`;
}

function usedText(
  used: readonly UsedEvaluation[],
  profiles: ProfileTexts,
  usedProfiles: ProfileText[],
): string | undefined {
  let text = "[";
  for (const one of used) {
    const { id, version } = one.decision;
    const result = one.decision[program].canonicalText(one.result);
    const own = one.used.length === 0 ? "" : usedText(one.used, profiles, usedProfiles);
    if (result === undefined || own === undefined) return undefined;
    const profile = profiles.of(one.profile);
    usedProfiles.push(profile);
    const rest = own === "" ? "" : `"used":${own},`;
    text += `${text === "[" ? "" : ","}{"id":${quote(id)},"profileHash":"${profile.hash}","result":${result},${rest}"version":${quote(version)}}`;
  }
  return `${text}]`;
}

export interface ProfileText {
  readonly text: string;
  readonly hash: string;
}

/** This many profiles that are not frozen are remembered by their text: callers may send a different one each time. */
const maxRemembered = 200;
const maxRememberedLength = 20_000;

/** Writes and hashes each profile once, if it cannot change. */
export class ProfileTexts {
  readonly #frozen = new WeakMap<object, ProfileText>();
  readonly #byText = new Map<string, ProfileText>();

  of(profile: unknown): ProfileText {
    if (typeof profile !== "object" || profile === null) return this.#make(profile);
    const known = this.#frozen.get(profile);
    if (known !== undefined) return known;
    const made = this.#make(profile);
    if (isDeepFrozen(profile)) this.#frozen.set(profile, made);
    return made;
  }

  #make(profile: unknown): ProfileText {
    const text = canonicalJson(profile) ?? carried(profile) ?? "null";
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const made = { text, hash: sha256(text) };
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

/** @param profile - canonical JSON. The members are in the order of canonical JSON */
export function profileLine(hash: string, profile: string): string {
  return `{"profile":${profile},"profileHash":${JSON.stringify(hash)},"recordVersion":1}\n`;
}
