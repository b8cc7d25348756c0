import { canonicalForm } from "../base/canonical-json.js";
import type { EvaluatedRule, Result } from "./result.js";
import { flatText, RuleText } from "./rule-text.js";

/** Writes the envelopes of one decision as canonical JSON (RFC 8785). What is the same in all of them is prepared once. */
class CanonicalEnvelope {
  readonly #rules: readonly RuleText[];

  /** @param ruleIds - each as JSON text */
  constructor(id: string, version: string, ruleIds: readonly string[]) {
    // The trace entries of all misses, each followed by a comma: a match takes the first so many characters.
    const ends: number[] = [];
    let misses = "";
    for (const ruleId of ruleIds) {
      ends.push(misses.length);
      misses += `{"matched":false,"ruleId":${ruleId}},`;
    }
    const start = `,"meta":{"decisionId":${JSON.stringify(id)},"decisionVersion":${JSON.stringify(version)},"evaluatedAt":"`;
    this.#rules = ruleIds.map((ruleId, index) => {
      const between = `,"matched":true,"ruleId":${ruleId}}],"explanation":`;
      return new RuleText({
        write: canonicalOrThrow,
        opening: '{"data":',
        at: (evaluatedAt) => {
          const before = misses.slice(0, ends[index]);
          return {
            head: flatText(start, evaluatedAt, '","evaluatedRules":[', before, '{"explanation":'),
            between,
          };
        },
        closing: `,"matchedRule":${ruleId}},"status":"OK"}`,
      });
    });
  }

  /** @returns `undefined` where there is none: text that has a lone surrogate in it */
  of(result: Result): string | undefined {
    if (result.status !== "OK") return canonicalForm(result);
    const { data, meta } = result;
    const rule = this.#rules[meta.evaluatedRules.length - 1];
    // `toJSON` receives its key.
    if (rule === undefined || typeof data !== "object" || (data !== null && "toJSON" in data))
      return canonicalForm(result);
    try {
      return rule.of(data, meta);
    } catch {
      return undefined;
    }
  }
}

function canonicalOrThrow(value: unknown): string {
  const text = canonicalForm(value);
  if (text === undefined) throw new TypeError("a value without canonical form");
  return text;
}

/**
 * Writes the envelopes of one decision as JSON. Most of an envelope is the same every time (names, ids, the misses
 * before a match), so that text is prepared once, and only what differs is serialised.
 */
export class EnvelopeText {
  readonly #rules: readonly RuleText[];
  readonly #id: string;
  readonly #version: string;
  /** Each as JSON. */
  readonly #ruleIds: readonly string[];
  /** Made when a decision log first asks for it. */
  #canonical: CanonicalEnvelope | undefined;

  constructor(id: string, version: string, misses: readonly EvaluatedRule[]) {
    // The trace entries of all misses, each followed by a comma: a match takes the first so many characters.
    const ends: number[] = [];
    let text = "";
    for (const miss of misses) {
      ends.push(text.length);
      text += `${JSON.stringify(miss)},`;
    }
    const start = `,"meta":{"decisionId":${JSON.stringify(id)},"decisionVersion":${JSON.stringify(version)},"matchedRule":`;
    this.#ruleIds = misses.map(({ ruleId }) => JSON.stringify(ruleId));
    this.#rules = this.#ruleIds.map((ruleId, index) => {
      const head = flatText(start, ruleId, ',"explanation":');
      const entry = `{"ruleId":${ruleId},"matched":true,"explanation":`;
      return new RuleText({
        write: (value) => JSON.stringify(value),
        opening: '{"status":"OK","data":',
        at: (evaluatedAt) => {
          const before = text.slice(0, ends[index]);
          return {
            head,
            between: flatText(',"evaluatedAt":"', evaluatedAt, '","evaluatedRules":[', before, entry),
          };
        },
        closing: "}]}}",
      });
    });
    this.#id = id;
    this.#version = version;
  }

  /**
   * Equal to `JSON.stringify(result)`. Throws when `data` has no JSON form: what `JSON.stringify` throws, and also where
   * that would leave `data` out.
   */
  of(result: Result): string {
    if (result.status !== "OK") return JSON.stringify(result);
    const { data, meta } = result;
    const rule = this.#rules[meta.evaluatedRules.length - 1];
    // `toJSON` receives its key, and `undefined` drops it: the general way knows both.
    if (rule === undefined || typeof data !== "object" || (data !== null && "toJSON" in data)) {
      return withData(JSON.stringify(result));
    }
    return rule.of(data, meta);
  }

  /**
   * The canonical JSON (RFC 8785) of what {@link of} writes.
   *
   * @returns `undefined` where there is none: text that has a lone surrogate in it
   */
  canonicalOf(result: Result): string | undefined {
    this.#canonical ??= new CanonicalEnvelope(this.#id, this.#version, this.#ruleIds);
    return this.#canonical.of(result);
  }
}

/** Who asked for a decision is not sent a success without what was decided. */
function withData(text: string): string {
  if (text.startsWith('{"status":"OK","data":')) return text;
  throw new TypeError("the output has a toJSON that returns nothing");
}

/**
 * Writes what an envelope decides, and leaves out how it came about.
 *
 * @throws TypeError when the output has no JSON form, and what its `toJSON` throws
 */
export function compactText(result: Result): string {
  switch (result.status) {
    case "OK": {
      const data: string | undefined = JSON.stringify(result.data);
      // No caller gets a success without what was decided.
      if (data === undefined) throw new TypeError("the output has no JSON form");
      return `{"status":"OK","data":${data},"matchedRule":${JSON.stringify(result.meta.matchedRule)}}`;
    }
    case "NO_MATCH":
      return '{"status":"NO_MATCH"}';
    default: {
      const { status, errors } = result;
      return JSON.stringify({ status, errors });
    }
  }
}
