import { canonicalJson } from "@decern/core/tools";
import { plainJson } from "../payload/plain-json.js";
import { sha256 } from "./sha256.js";

/** A profile as canonical JSON, with its hash. */
export interface ProfileText {
  readonly text: string;
  readonly hash: string;
}

/** So many profiles that are not frozen are remembered by their text, if that is not long: callers may send others each time. */
const maxRemembered = 200;
const maxRememberedLength = 20_000;

/** Writes and hashes profiles, each once where nobody can change it any more. */
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

/** What JSON carries of a profile. */
function carried(profile: unknown): string | undefined {
  try {
    return canonicalJson(plainJson(profile).json);
  } catch {
    // A getter threw. The decision has read the profile, but nobody else can.
    return undefined;
  }
}

/** More than canonical JSON has. */
const maxLevels = 501;

/** Whether a value is frozen with everything in it. Accessors and what keeps its content elsewhere count as open. */
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
