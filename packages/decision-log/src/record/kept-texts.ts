import type { Decision } from "@decern/core";
import { canonicalJson, program } from "@decern/core/tools";
import { sha256 } from "../text/hashing.js";
import { plainJson, quote } from "../text/plain-json.js";
import type { KeptDocument } from "./record-store.js";

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
