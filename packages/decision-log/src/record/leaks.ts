import { escapePointer } from "@decern/core/schema";
import type { Json, JsonObject } from "../text/plain-json.js";
import { type Removed, removeMember } from "./masks.js";

/** Texts of at least this length are also found within words, such as a name in its genitive. */
const longText = 4;
/** Texts of at least this length, without white space, are also found across words: shorter ones occur by chance, as "Theo" in "the order". */
const distinctText = 8;
/** A member name of one letter, or digits such as an index, occurs in every other sentence. */
const ordinaryName = /^(?:.|\d{1,3})$/su;

const whiteSpace = /\s+/g;
/** Other than single spaces between other characters. */
const unevenSpace = /\s\s|[^\S ]|^\s|\s$/;
const printableAscii = /^[ -~]*$/;
const startsWithWord = /^[\p{L}\p{N}]/u;
const endsWithWord = /[\p{L}\p{N}]$/u;
const plainNumber = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;
/** With separators between thousands, and a point or comma before decimals. */
const groupedNumber = /\d{1,3}(?:[,.'’ _]\d{2,3})+(?:[.,]\d+)?/g;
const commaNumber = /\d+,\d+/g;

/** Finds masked values that occur again in an explanation, an output or a message. */
export class Leaks {
  readonly #texts = new Map<string, FoldedText>();
  /** Found only as a whole value. */
  readonly #wholeTexts = new Set<string>();
  readonly #numbers = new Set<number>();
  readonly #declared: () => ReadonlySet<string>;

  /** @param declared - names of members that are no data, because a schema has them */
  constructor(masked: readonly Json[], declared: () => ReadonlySet<string>) {
    this.#declared = declared;
    for (const value of masked) this.#add(value);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0 && this.#wholeTexts.size === 0 && this.#numbers.size === 0;
  }

  /** @param isPrintable - whether it is known to be printable ASCII */
  isIn(value: string | number, isPrintable = false): boolean {
    if (typeof value === "number" && this.#numbers.has(Math.abs(value))) return true;
    const text = new FoldedText(`${value}`, isPrintable);
    if (this.#wholeTexts.size > 0 && this.#wholeTexts.has(text.collapsed)) return true;
    for (const needle of this.#texts.values()) if (occursIn(needle, text)) return true;
    return typeof value === "string" && this.#numbers.size > 0 && this.#hasNumber(text.collapsed);
  }

  /** Adds the name of a member of a masked object: it may be data, such as a person in a list by name. */
  addName(name: string): void {
    if (this.#declared().has(name)) return;
    if (ordinaryName.test(name)) this.#wholeTexts.add(new FoldedText(name).collapsed);
    else {
      this.#addText(name);
      // As errors point to it.
      this.#addForm(escapePointer(name));
    }
  }

  #add(value: Json): void {
    if (typeof value === "number") this.#numbers.add(Math.abs(value));
    else if (typeof value === "string") this.#addText(value);
    else if (Array.isArray(value)) for (const item of value) this.#add(item);
    else if (typeof value === "object" && value !== null) {
      for (const name of Object.keys(value)) {
        this.addName(name);
        this.#add(value[name] ?? null);
      }
    }
  }

  #addText(value: string): void {
    this.#addForm(value);
    // As messages quote it, too.
    const quoted = JSON.stringify(value);
    if (quoted.length > value.length + 2) this.#addForm(quoted.slice(1, -1));
    if (/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) this.#numbers.add(Math.abs(Number(value)));
  }

  #addForm(form: string): void {
    const text = new FoldedText(form);
    if (text.collapsed !== "") this.#texts.set(text.collapsed, text);
  }

  #hasNumber(text: string): boolean {
    for (const [number] of text.matchAll(plainNumber)) if (this.#numbers.has(Number(number))) return true;
    for (const [number] of text.matchAll(commaNumber))
      if (this.#numbers.has(Number(number.replace(",", ".")))) return true;
    for (const [number] of text.matchAll(groupedNumber)) {
      const digits = number.replaceAll(/[,.'’ _]/g, "");
      const decimal = /^(.*)[.,](\d+)$/.exec(number);
      const whole = decimal?.[1]?.replaceAll(/[,.'’ _]/g, "");
      if (this.#numbers.has(Number(digits)) || this.#numbers.has(Number(`${whole}.${decimal?.[2]}`)))
        return true;
    }
    return false;
  }
}

/** A text in a form that is equal for texts that differ in case, in white space, or in how their characters are encoded. */
class FoldedText {
  readonly collapsed: string;
  #joined: string | undefined;
  #joints: ReadonlySet<number> | undefined;

  constructor(text: string, isPrintable = printableAscii.test(text)) {
    const folded = isPrintable ? text.toLowerCase() : fold(text);
    const isUneven = isPrintable ? hasUnevenSpaces(folded) : unevenSpace.test(folded);
    this.collapsed = isUneven ? folded.replaceAll(whiteSpace, " ").trim() : folded;
  }

  get joined(): string {
    this.#joined ??= this.collapsed.includes(" ") ? this.collapsed.replaceAll(" ", "") : this.collapsed;
    return this.#joined;
  }

  get joints(): ReadonlySet<number> {
    if (this.#joints !== undefined) return this.#joints;
    const joints = new Set<number>();
    let at = 0;
    for (const part of this.collapsed.split(" ")) {
      at += part.length;
      joints.add(at);
    }
    this.#joints = joints;
    return joints;
  }
}

/** Makes texts equal that differ in case or in how their characters are encoded. Of printable ASCII, lower case does that. */
function fold(text: string): string {
  // Letters such as ß have several forms only in upper case. A sigma has another form at the end of a word.
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").replaceAll("ς", "σ");
}

/** Finds what {@link unevenSpace} finds, in a text whose only white space is spaces. */
function hasUnevenSpaces(text: string): boolean {
  return text.includes("  ") || text.startsWith(" ") || text.endsWith(" ");
}

const noJoints: ReadonlySet<number> = new Set();

function occursIn(needle: FoldedText, text: FoldedText): boolean {
  const { collapsed, joined } = needle;
  if (joined.length < longText && joined === collapsed) return isWordIn(collapsed, text.collapsed, noJoints);
  // This must match, whatever the white space.
  if (!text.joined.includes(joined)) return false;
  if (collapsed.length < longText)
    return isWordIn(collapsed, text.collapsed, noJoints) || isWordIn(joined, text.collapsed, noJoints);
  return (
    joined.length >= distinctText ||
    text.collapsed.includes(collapsed) ||
    text.collapsed.includes(joined) ||
    isWordIn(joined, text.joined, text.joints)
  );
}

function isWordIn(needle: string, text: string, joints: ReadonlySet<number>): boolean {
  const startsWord = startsWithWord.test(needle);
  const endsWord = endsWithWord.test(needle);
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    // A character has at most two units: whole slices would take quadratic time.
    const isStart = !startsWord || joints.has(at) || !endsWithWord.test(text.slice(Math.max(0, at - 2), at));
    const isEnd = !endsWord || joints.has(end) || !startsWithWord.test(text.slice(end, end + 2));
    if (isStart && isEnd) return true;
  }
  return false;
}

/**
 * The members of a payload that Decern itself names, with those that are `true`: the same whatever the input, or in the record
 * elsewhere too. `*` stands for every item.
 */
interface Known {
  readonly [name: string]: true | Known;
}

const anything: Known = {};

const envelope: Known = {
  status: true,
  meta: {
    decisionId: true,
    decisionVersion: true,
    matchedRule: true,
    evaluatedAt: true,
    evaluatedRules: { "*": { ruleId: true, matched: true } },
  },
};

const used: Known = {
  "*": {
    id: true,
    version: true,
    profileHash: true,
    contentHash: true,
    result: envelope,
    get used() {
      return used;
    },
  },
};

const known: Known = { error: { code: true }, result: envelope, used };

/** Removes every text and number with a masked value in it from a payload. */
export function sweep(payload: JsonObject, leaks: Leaks, removed: Removed): void {
  sweepMembers(payload, "", leaks, known, removed);
}

function sweepMembers(
  container: Json[] | JsonObject,
  at: string,
  leaks: Leaks,
  names: Known,
  removed: Removed,
): void {
  for (const [name, value] of Object.entries(container)) {
    const inside = lookUp(names, name);
    if (inside === true || value === null || typeof value === "boolean") continue;
    if (typeof value === "object") {
      const place = placeOf(at, name);
      // A pointer to such a member would show its name.
      if (inside === anything && hasLeakingName(value, leaks)) removeMember(container, name, place, removed);
      else sweepMembers(value, place, leaks, inside, removed);
    } else if (leaks.isIn(value)) removeMember(container, name, placeOf(at, name), removed);
  }
}

function placeOf(at: string, name: string): string {
  return `${at}/${escapePointer(name)}`;
}

function hasLeakingName(value: Json[] | JsonObject, leaks: Leaks): boolean {
  return !Array.isArray(value) && Object.keys(value).some((name) => leaks.isIn(name));
}

function lookUp(names: Known, name: string): true | Known {
  if (Object.hasOwn(names, name)) return names[name] ?? anything;
  return names["*"] ?? anything;
}
