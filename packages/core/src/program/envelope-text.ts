import { CanonicalEnvelope } from "./canonical-envelope.js";
import type { EvaluatedRule, OkResult, Result } from "./result.js";

/** A longer text is not kept: a decision may have thousands of rules, and explain an answer in a whole page. */
const longestKept = 2000;

/** The last `meta` that was written for a rule. */
interface LastMeta {
  readonly evaluatedAt: string;
  readonly explanation: string;
  /** Everything after the data. */
  readonly text: string;
}

/**
 * Writes the envelopes of one decision as JSON. Most of an envelope is the same every time (names, ids, the misses
 * before a match), so that text is prepared once, and only what differs is serialised.
 */
export class EnvelopeText {
  readonly #afterData: string;
  /** The trace entries of all misses, each followed by a comma; a match takes the first so many characters. */
  readonly #misses: string;
  readonly #missesEnd: readonly number[];
  readonly #ruleIds: readonly string[];
  /** By rule. */
  readonly #lastMeta: (LastMeta | undefined)[];
  readonly #id: string;
  readonly #version: string;
  /** Made when a decision log first asks for it. */
  #canonical: CanonicalEnvelope | undefined;

  constructor(id: string, version: string, misses: readonly EvaluatedRule[]) {
    this.#afterData = `,"meta":{"decisionId":${JSON.stringify(id)},"decisionVersion":${JSON.stringify(version)},"matchedRule":`;
    const ends: number[] = [];
    let text = "";
    for (const miss of misses) {
      ends.push(text.length);
      text += `${JSON.stringify(miss)},`;
    }
    this.#misses = text;
    this.#missesEnd = ends;
    this.#ruleIds = misses.map(({ ruleId }) => JSON.stringify(ruleId));
    this.#lastMeta = misses.map(() => undefined);
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
    this.#canonical ??= new CanonicalEnvelope(this.#id, this.#version, this.#ruleIds);
    return this.#canonical.of(result);
  }

  #ok(result: OkResult): string {
    const { data, meta } = result;
    const index = meta.evaluatedRules.length - 1;
    const ruleId = this.#ruleIds[index];
    // `toJSON` is told its key, and `undefined` drops it: the general way knows both.
    if (ruleId === undefined || typeof data !== "object" || (data !== null && "toJSON" in data)) {
      return withData(JSON.stringify(result));
    }
    return `{"status":"OK","data":${JSON.stringify(data)}${this.#metaText(ruleId, index, meta)}`;
  }

  /** What follows the data. Of many answers in the same millisecond, those that one rule explains alike share it. */
  #metaText(ruleId: string, index: number, { explanation, evaluatedAt }: OkResult["meta"]): string {
    const last = this.#lastMeta[index];
    if (last !== undefined && last.evaluatedAt === evaluatedAt && last.explanation === explanation) {
      return last.text;
    }
    const said = JSON.stringify(explanation);
    const end = this.#missesEnd[index];
    const misses = this.#misses.slice(0, end);
    const text =
      `${this.#afterData}${ruleId},"explanation":${said},` +
      `"evaluatedAt":"${evaluatedAt}","evaluatedRules":[${misses}{"ruleId":${ruleId},"matched":true,"explanation":${said}}]}}`;
    if (text.length <= longestKept) this.#lastMeta[index] = { evaluatedAt, explanation, text };
    return text;
  }
}

/** Who asked for a decision is not sent a success without what was decided. */
function withData(text: string): string {
  if (text.startsWith('{"status":"OK","data":')) return text;
  throw new TypeError("the output has a toJSON that answers nothing");
}
