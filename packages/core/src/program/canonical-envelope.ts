import { canonicalForm } from "../copies/canonical-json.js";
import { flatText } from "./flat-text.js";
import type { Result } from "./result.js";
import { RuleText } from "./rule-text.js";

/** Writes the envelopes of one decision as canonical JSON (RFC 8785). What is the same in all of them is prepared once. */
export class CanonicalEnvelope {
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
    // `toJSON` is told its key.
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
