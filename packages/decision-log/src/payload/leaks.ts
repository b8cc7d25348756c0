import type { Json } from "./plain-json.js";

/** Texts of so many characters and more are found within words too, such as a name in its genitive. */
const longText = 4;

const startsWithWord = /^[\p{L}\p{N}]/u;
const endsWithWord = /[\p{L}\p{N}]$/u;
const plainNumber = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;
/** With separators between thousands, and a point or comma before decimals. */
const groupedNumber = /\d{1,3}(?:[,.'’ _]\d{2,3})+(?:[.,]\d+)?/g;
const commaNumber = /\d+,\d+/g;

/** Finds masked values where they turn up again: in an explanation, an output, a message. */
export class Leaks {
  readonly #texts = new Set<string>();
  readonly #numbers = new Set<number>();

  constructor(masked: readonly Json[]) {
    for (const value of masked) this.#add(value);
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0 && this.#numbers.size === 0;
  }

  /** Whether a masked value is in a text or number. */
  isIn(value: string | number): boolean {
    if (typeof value === "number" && this.#numbers.has(Math.abs(value))) return true;
    const text = fold(`${value}`);
    for (const needle of this.#texts) if (occursIn(needle, text)) return true;
    return typeof value === "string" && this.#numbers.size > 0 && this.#hasNumber(text);
  }

  #add(value: Json): void {
    if (typeof value === "number") this.#numbers.add(Math.abs(value));
    else if (typeof value === "string") this.#addText(value);
    else if (typeof value === "object" && value !== null)
      for (const member of Object.values(value)) this.#add(member);
  }

  #addText(value: string): void {
    // As messages quote it, too.
    for (const form of [value, JSON.stringify(value).slice(1, -1)]) {
      const text = fold(form).trim();
      if (text !== "") this.#texts.add(text);
    }
    if (/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) this.#numbers.add(Math.abs(Number(value)));
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

/** Makes texts equal that differ in case or in how their characters are encoded. */
function fold(text: string): string {
  // Letters such as ß have several forms only in upper case. A sigma has another form at the end of a word.
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").replaceAll("ς", "σ");
}

function occursIn(needle: string, text: string): boolean {
  let at = text.indexOf(needle);
  if (at === -1 || needle.length >= longText) return at !== -1;
  for (; at !== -1; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const isStart = !startsWithWord.test(needle) || !endsWithWord.test(text.slice(0, at));
    const isEnd = !endsWithWord.test(needle) || !startsWithWord.test(text.slice(end));
    if (isStart && isEnd) return true;
  }
  return false;
}
