import { canonicalForm } from "../base/canonical-json.js";
import type { EvaluatedRule, OkResult, Result } from "./result.js";

/** A longer text is not kept. */
const longestKept = 2000;
/** After how many changed values in a row only one in so many is looked at. */
const mostSkipped = 63;

/** Writes values as JSON and keeps the text of the last object of primitives: many rules emit the same one every time. */
class LastLiteral {
  /** The JSON of the value that {@link isLast} found again. */
  text = "{}";
  #keys: readonly string[] = [];
  #values: readonly unknown[] = [];
  /** How many values are neither kept nor compared: where they differ every time, that would be in vain. */
  #skip = 0;
  #skipNext = 1;

  /** Whether a value is known to have the same JSON as the one that is kept. */
  isLast(value: object | null): boolean {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return false;
    }
    if (isLiteral(value) && this.#equals(value)) {
      this.#skipNext = 1;
      return true;
    }
    this.#skip = this.#skipNext;
    this.#skipNext = Math.min(2 * this.#skipNext, mostSkipped);
    return false;
  }

  /** @param write - writes values that have no `toJSON` */
  write(value: object | null, write: EnvelopeLayout["write"]): string {
    if (this.#skip > 0 || !isLiteral(value)) return write(value);
    // A getter is asked once: it may return something else next time.
    const copy = { ...value };
    const text = write(copy);
    if (text.length <= longestKept) {
      this.#keys = Object.keys(copy);
      this.#values = Object.values(copy);
      this.text = text;
    }
    return text;
  }

  #equals(value: Readonly<Record<string, unknown>>): boolean {
    const keys = Object.keys(value);
    if (keys.length !== this.#keys.length) return false;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] ?? "";
      if (key !== this.#keys[index]) return false;
      const inner = value[key];
      // What is in an object or a function may have changed.
      if (inner !== this.#values[index] || typeof inner === "object" || typeof inner === "function")
        return false;
    }
    return true;
  }
}

/** Neither a list nor an instance of a class: own properties are all there is. */
function isLiteral(value: object | null): value is Readonly<Record<string, unknown>> {
  return value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Joined, not added: V8 keeps a sum as a tree, and would walk it again for each text that it becomes part of. */
function flatText(...parts: readonly string[]): string {
  return parts.join("");
}

/** How the envelopes of one rule are written, around the data and the explanation, which they have twice. */
interface EnvelopeLayout {
  /** Writes data that has no `toJSON`, and explanations. */
  readonly write: (value: unknown) => string;
  readonly opening: string;
  readonly at: (evaluatedAt: string) => InstantText;
  readonly closing: string;
}

/** What is the same for all of a rule's matches in one millisecond. */
interface InstantText {
  /** From the data to the explanation. The other one is from there to the explanation once more. */
  readonly head: string;
  readonly between: string;
}

/** Writes the envelopes in which one rule matched. Most of them have much in common with the one before, which is kept. */
class RuleText {
  readonly #layout: EnvelopeLayout;
  readonly #data = new LastLiteral();
  /** The last explanation that was kept, and its JSON. */
  #explanation: string | undefined;
  #said = "";
  /** The last instant that was kept, and its text. */
  #evaluatedAt: string | undefined;
  #instant: InstantText = { head: "", between: "" };
  /** The envelope that was made of all that is kept. */
  #text: string | undefined;

  constructor(layout: EnvelopeLayout) {
    this.#layout = layout;
  }

  of(data: object | null, { explanation, evaluatedAt }: OkResult["meta"]): string {
    const { write, opening, closing } = this.#layout;
    const isKept = this.#data.isLast(data);
    if (isKept && explanation === this.#explanation && evaluatedAt === this.#evaluatedAt) {
      const { head, between } = this.#instant;
      this.#text ??= flatText(opening, this.#data.text, head, this.#said, between, this.#said, closing);
      return this.#text;
    }
    this.#text = undefined;
    const written = isKept ? this.#data.text : this.#data.write(data, write);
    const said = this.#sayOf(explanation);
    const { head, between } =
      evaluatedAt === this.#evaluatedAt ? this.#instant : this.#instantOf(evaluatedAt);
    return `${opening}${written}${head}${said}${between}${said}${closing}`;
  }

  /** The JSON of an explanation. Many rules say the same every time. */
  #sayOf(explanation: string): string {
    if (explanation === this.#explanation) return this.#said;
    const said = this.#layout.write(explanation);
    if (said.length <= longestKept) {
      this.#explanation = explanation;
      this.#said = said;
    }
    return said;
  }

  #instantOf(evaluatedAt: string): InstantText {
    const instant = this.#layout.at(evaluatedAt);
    if (instant.head.length + instant.between.length <= longestKept) {
      this.#evaluatedAt = evaluatedAt;
      this.#instant = instant;
    }
    return instant;
  }
}

/**
 * @param ruleIds - each as JSON
 * @param missOf - the trace entry of a rule that did not match, followed by a comma: a match takes those before its own
 */
function ruleTexts(
  ruleIds: readonly string[],
  missOf: (ruleId: string) => string,
  layoutOf: (ruleId: string, before: () => string) => EnvelopeLayout,
): readonly RuleText[] {
  let misses = "";
  return ruleIds.map((ruleId) => {
    const end = misses.length;
    misses += missOf(ruleId);
    return new RuleText(layoutOf(ruleId, () => misses.slice(0, end)));
  });
}

/** `toJSON` receives its key, and `undefined` drops it: the general way of writing knows both. */
function isPlain(result: Result): result is OkResult<object | null> {
  if (result.status !== "OK" || typeof result.data !== "object") return false;
  return result.data === null || !("toJSON" in result.data);
}

/**
 * Writes the envelopes of one decision as JSON. Most of an envelope is the same every time (names, ids, the misses
 * before a match), so that text is prepared once, and only what differs is serialised.
 */
export class EnvelopeText {
  /** From the data to the version. */
  readonly #names: string;
  /** Each as JSON. */
  readonly #ruleIds: readonly string[];
  readonly #rules: readonly RuleText[];
  #canonicalRules: readonly RuleText[] | undefined;

  constructor(id: string, version: string, misses: readonly EvaluatedRule[]) {
    this.#names = `,"meta":{"decisionId":${JSON.stringify(id)},"decisionVersion":${JSON.stringify(version)}`;
    this.#ruleIds = misses.map(({ ruleId }) => JSON.stringify(ruleId));
    const missOf = (ruleId: string): string => `{"ruleId":${ruleId},"matched":false},`;
    this.#rules = ruleTexts(this.#ruleIds, missOf, (ruleId, before) => {
      const head = flatText(this.#names, ',"matchedRule":', ruleId, ',"explanation":');
      const entry = `{"ruleId":${ruleId},"matched":true,"explanation":`;
      return {
        write: (value) => JSON.stringify(value),
        opening: '{"status":"OK","data":',
        at: (evaluatedAt) => ({
          head,
          between: flatText(',"evaluatedAt":"', evaluatedAt, '","evaluatedRules":[', before(), entry),
        }),
        closing: "}]}}",
      };
    });
  }

  /**
   * Equal to `JSON.stringify(result)`. Throws when `data` has no JSON form: what `JSON.stringify` throws, and also where
   * that would leave `data` out.
   */
  of(result: Result): string {
    if (isPlain(result)) {
      const rule = this.#rules[result.meta.evaluatedRules.length - 1];
      if (rule !== undefined) return rule.of(result.data, result.meta);
    }
    const text = JSON.stringify(result);
    if (result.status !== "OK" || text.startsWith('{"status":"OK","data":')) return text;
    throw new TypeError("the output has a toJSON that returns nothing");
  }

  /**
   * The canonical JSON (RFC 8785) of what {@link of} writes.
   *
   * @returns `undefined` where there is none: text that has a lone surrogate in it
   */
  canonicalOf(result: Result): string | undefined {
    if (!isPlain(result)) return canonicalForm(result);
    // Only a decision log asks for it.
    this.#canonicalRules ??= this.#makeCanonical();
    const rule = this.#canonicalRules[result.meta.evaluatedRules.length - 1];
    try {
      return rule === undefined ? canonicalForm(result) : rule.of(result.data, result.meta);
    } catch {
      return undefined;
    }
  }

  #makeCanonical(): readonly RuleText[] {
    const missOf = (ruleId: string): string => `{"matched":false,"ruleId":${ruleId}},`;
    const start = `${this.#names},"evaluatedAt":"`;
    return ruleTexts(this.#ruleIds, missOf, (ruleId, before) => {
      const between = `,"matched":true,"ruleId":${ruleId}}],"explanation":`;
      return {
        write: canonicalOrThrow,
        opening: '{"data":',
        at: (evaluatedAt) => ({
          head: flatText(start, evaluatedAt, '","evaluatedRules":[', before(), '{"explanation":'),
          between,
        }),
        closing: `,"matchedRule":${ruleId}},"status":"OK"}`,
      };
    });
  }
}

function canonicalOrThrow(value: unknown): string {
  const text = canonicalForm(value);
  if (text !== undefined) return text;
  throw new TypeError("a value without canonical form");
}
