import { CanonicalEnvelope } from "./canonical-envelope.js";
import type { EvaluatedRule, OkResult, Result } from "./result.js";

/** A longer text is not kept: a decision may have thousands of rules, and explain an answer in a whole page. */
const longestKept = 2000;

/** What envelopes with one matched rule have in common. */
interface RuleText {
  /** From the data to the explanation. */
  readonly head: string;
  /** The rule's id. */
  readonly id: string;
  /** The last explanation that was written, and its JSON. */
  explanation: string;
  said: string;
  /** The last instant that was written, and everything from there to the explanation in the trace. */
  evaluatedAt: string;
  between: string;
}

/**
 * Writes the envelopes of one decision as JSON. Most of an envelope is the same every time (names, ids, the misses
 * before a match), so that text is prepared once, and only what differs is serialised.
 */
export class EnvelopeText {
  /** The trace entries of all misses, each followed by a comma; a match takes the first so many characters. */
  readonly #misses: string;
  readonly #missesEnd: readonly number[];
  readonly #rules: readonly RuleText[];
  readonly #id: string;
  readonly #version: string;
  /** Made when a decision log first asks for it. */
  #canonical: CanonicalEnvelope | undefined;

  constructor(id: string, version: string, misses: readonly EvaluatedRule[]) {
    const ends: number[] = [];
    let text = "";
    for (const miss of misses) {
      ends.push(text.length);
      text += `${JSON.stringify(miss)},`;
    }
    this.#misses = text;
    this.#missesEnd = ends;
    const start = `,"meta":{"decisionId":${JSON.stringify(id)},"decisionVersion":${JSON.stringify(version)},"matchedRule":`;
    this.#rules = misses.map(({ ruleId }) => {
      const id = JSON.stringify(ruleId);
      return {
        head: flat(start, id, ',"explanation":'),
        id,
        explanation: "",
        said: '""',
        evaluatedAt: "",
        between: "",
      };
    });
    this.#id = id;
    this.#version = version;
  }

  /**
   * Equal to `JSON.stringify(result)`. Throws when `data` has no JSON form: what `JSON.stringify` throws, and also where
   * that would leave `data` out.
   */
  of(result: Result): string {
    return result.status === "OK" ? this.#ok(result) : JSON.stringify(result);
  }

  /**
   * The canonical JSON (RFC 8785) of what {@link of} writes.
   *
   * @returns `undefined` where there is none: text that has a lone surrogate in it
   */
  canonicalOf(result: Result): string | undefined {
    this.#canonical ??= new CanonicalEnvelope(
      this.#id,
      this.#version,
      this.#rules.map((rule) => rule.id),
    );
    return this.#canonical.of(result);
  }

  #ok(result: OkResult): string {
    const { data, meta } = result;
    const index = meta.evaluatedRules.length - 1;
    const rule = this.#rules[index];
    // `toJSON` is told its key, and `undefined` drops it: the general way knows both.
    if (rule === undefined || typeof data !== "object" || (data !== null && "toJSON" in data)) {
      return withData(JSON.stringify(result));
    }
    const said = sayOf(rule, meta.explanation);
    const between =
      rule.evaluatedAt === meta.evaluatedAt ? rule.between : this.#between(rule, index, meta.evaluatedAt);
    return `{"status":"OK","data":${JSON.stringify(data)}${rule.head}${said}${between}${said}}]}}`;
  }

  /** The text is the same for all of a rule's matches in one millisecond. */
  #between(rule: RuleText, index: number, evaluatedAt: string): string {
    const misses = this.#misses.slice(0, this.#missesEnd[index]);
    const text = flat(
      `,"evaluatedAt":"${evaluatedAt}","evaluatedRules":[`,
      misses,
      `{"ruleId":${rule.id},"matched":true,"explanation":`,
    );
    if (text.length <= longestKept) {
      rule.evaluatedAt = evaluatedAt;
      rule.between = text;
    }
    return text;
  }
}

/** The JSON of an explanation. Many rules say the same every time. */
function sayOf(rule: RuleText, explanation: string): string {
  if (rule.explanation === explanation) return rule.said;
  const said = JSON.stringify(explanation);
  if (said.length <= longestKept) {
    rule.explanation = explanation;
    rule.said = said;
  }
  return said;
}

/** Joined, not added: V8 keeps a sum as a tree, and would walk it again for each envelope that it becomes part of. */
function flat(...parts: readonly string[]): string {
  return parts.join("");
}

/** Who asked for a decision is not sent a success without what was decided. */
function withData(text: string): string {
  if (text.startsWith('{"status":"OK","data":')) return text;
  throw new TypeError("the output has a toJSON that returns nothing");
}
