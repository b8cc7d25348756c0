import type { JsonSchema } from "@decern/core";
import { TextPattern } from "@decern/core/schema";
import { textRuler } from "./ruler.js";
import type { Random, Vocabulary } from "./vocabulary.js";

const formats: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["date", ["2026-01-01", "1990-06-15"]],
  ["date-time", ["2026-01-01T00:00:00Z", "1990-06-15T12:00:00Z"]],
  ["time", ["12:00:00Z", "00:00:00Z"]],
  ["duration", ["P1D", "PT1H"]],
  ["email", ["a@example.com", "someone@example.org"]],
  ["hostname", ["example.com"]],
  ["ipv4", ["192.0.2.1", "198.51.100.7"]],
  ["ipv6", ["2001:db8::1"]],
  ["uri", ["https://example.com/", "urn:example:1"]],
  ["uuid", ["6f1b7a52-3c1e-4d5b-9a53-0c9f6a1d2e3f", "0f8fad5b-d9cb-469f-a165-70867728950e"]],
]);

const longest = 300;
const spans: readonly number[] = [1, 7, 30, 90, 365, 730, 1826, 6574, 7670, 23_741, 36_525];
const dayMs = 86_400_000;

/** Texts to try where a schema stands. */
export class TextValues {
  readonly #schema: JsonSchema;
  readonly #vocabulary: Vocabulary;
  readonly #random: Random;
  readonly #pattern: RegExp | undefined;
  readonly #listed: readonly string[];
  /** The most ordinary one. A word of the rules would look as if it mattered. */
  readonly plain: string;

  constructor(schema: JsonSchema, vocabulary: Vocabulary, random: Random) {
    this.#schema = schema;
    this.#vocabulary = vocabulary;
    this.#random = random;
    this.#pattern = compiled(schema["pattern"]);
    const own = this.#own();
    this.#listed = this.#fitting(this.#everything(own));
    const least = Number(schema["minLength"] ?? 0);
    const ordinary = ["example", "x", this.#ofLength("example", least)];
    this.plain = this.#fitting([...own, ...ordinary, ...this.#listed])[0] ?? this.#ofLength("x", least);
  }

  /** `value` is what stands there now, `further` what stands elsewhere. */
  around(value: unknown, further: readonly string[]): readonly string[] {
    const own = typeof value === "string" ? value : this.plain;
    return this.#fitting([...this.#listed, ...further, ...this.#variants(own), ...this.#dates(own)]);
  }

  random(value: unknown, further: readonly string[]): string {
    const random = this.#random;
    const own = typeof value === "string" ? value : this.plain;
    const pool = random.chance(0.6) ? this.#listed : random.chance(0.4) ? further : this.#variants(own);
    const made = this.#made(this.#schema["pattern"], 1);
    return this.#fitting([...(random.chance(0.2) ? made : []), random.pick(pool) ?? own])[0] ?? this.plain;
  }

  /** Those that the schema itself suggests. */
  #own(): readonly string[] {
    const { examples, default: standard, pattern, format } = this.#schema;
    const named = [...(Array.isArray(examples) ? examples : []), standard].filter(
      (one) => typeof one === "string",
    );
    return [...named, ...(formats.get(format) ?? []), ...this.#made(pattern, 6)];
  }

  #everything(own: readonly string[]): readonly string[] {
    const spoken = this.#vocabulary.patterns.flatMap((source) => this.#made(source, 3));
    const sized = this.#lengths().map((length) => this.#ofLength(own[0] ?? "x", length));
    return [...own, ...this.#vocabulary.texts, ...spoken, ...sized, ...this.#dates(own[0] ?? "")];
  }

  #made(pattern: unknown, count: number): readonly string[] {
    if (typeof pattern !== "string") return [];
    const maker = new TextPattern(pattern, this.#random);
    return Array.from({ length: count }, () => maker.sample());
  }

  #lengths(): readonly number[] {
    const { minLength, maxLength } = this.#schema;
    const named = [minLength, maxLength, ...this.#vocabulary.numbers.filter(Number.isInteger)];
    const lengths = named.flatMap((length) =>
      typeof length === "number" ? [length - 1, length, length + 1] : [],
    );
    return [0, 1, ...lengths].filter((length) => length >= 0 && length <= longest).slice(0, 60);
  }

  #ofLength(text: string, length: number): string {
    return text.length >= length ? text.slice(0, length) : text.padEnd(length, text === "" ? "x" : text);
  }

  #variants(own: string): readonly string[] {
    const { texts } = this.#vocabulary;
    const affixed = texts
      .slice(0, 40)
      .flatMap((text) => [
        text + own.slice(text.length),
        own.slice(0, Math.max(0, own.length - text.length)) + text,
        text + own,
        own + text,
      ]);
    const place = this.#random.below(own.length + 1);
    const other = own.slice(0, place) + replacement(own.charAt(place), this.#random) + own.slice(place + 1);
    return [own.toUpperCase(), own.toLowerCase(), own.trim(), ` ${own}`, own.slice(1), other, ...affixed];
  }

  /** Around the instant of the evaluation, in the form of `sample`. */
  #dates(sample: string): readonly string[] {
    const ruler = textRuler(sample);
    if (ruler === undefined || /^\d+$/.test(sample)) return [];
    const text = this.#vocabulary.now.toISOString();
    const shaped = [text.slice(0, 7), text.slice(0, 10), text, `${text.slice(0, 19)}Z`, text.slice(11, 16)];
    const now = shaped.map((one) => ruler.toUnits(one)).find((units) => units !== undefined);
    if (now === undefined) return [];
    const literals = this.#vocabulary.numbers.filter((number) => Number.isInteger(number) && number > 0);
    // How many units a day has, as this form measures it.
    const next = new Date(this.#vocabulary.now.getTime() + 1000 * dayMs).toISOString();
    const later = [next.slice(0, 7), next.slice(0, 10), next, `${next.slice(0, 19)}Z`]
      .map((one) => ruler.toUnits(one))
      .find((units) => units !== undefined);
    const perDay = Math.max(0.03, ((later ?? now) - now) / 1000);
    const days = [
      ...spans,
      ...literals.slice(0, 40),
      ...literals.slice(0, 20).map((years) => years * 365.25),
    ];
    const steps = [0, 1, ...days.filter((span) => span < 100_000).map((span) => Math.round(span * perDay))];
    return steps
      .flatMap((step) => [now - step, now + step])
      .map((units) => ruler.fromUnits(units))
      .filter((one) => typeof one === "string");
  }

  #fitting(texts: readonly string[]): readonly string[] {
    const { minLength, maxLength } = this.#schema;
    const least = typeof minLength === "number" ? minLength : 0;
    const greatest = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
    return [...new Set(texts)].filter(
      (text) => text.length >= least && text.length <= greatest && (this.#pattern?.test(text) ?? true),
    );
  }
}

function compiled(pattern: unknown): RegExp | undefined {
  if (typeof pattern !== "string") return undefined;
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}

/** Another character of the same kind. */
function replacement(character: string, random: Random): string {
  const kinds = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const kind = kinds.find((characters) => characters.includes(character) && character !== "") ?? "a-_ 0Z";
  return random.pick([...kind]) ?? "";
}
