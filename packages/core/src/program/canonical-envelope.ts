import { canonicalForm } from "../copies/canonical-json.js";
import type { Result } from "./result.js";

/** Writes the envelopes of one decision as canonical JSON (RFC 8785). What is the same in all of them is prepared once. */
export class CanonicalEnvelope {
  readonly #ruleIds: readonly string[];
  readonly #betweenDataAndInstant: string;
  /** The trace entries of all misses, each followed by a comma; a match takes the first so many characters. */
  readonly #misses: string;
  readonly #missesEnd: readonly number[];

  /** @param ruleIds - each as JSON text */
  constructor(id: string, version: string, ruleIds: readonly string[]) {
    this.#ruleIds = ruleIds;
    this.#betweenDataAndInstant = `,"meta":{"decisionId":${JSON.stringify(id)},"decisionVersion":${JSON.stringify(version)},"evaluatedAt":"`;
    const ends: number[] = [];
    let text = "";
    for (const ruleId of ruleIds) {
      ends.push(text.length);
      text += `{"matched":false,"ruleId":${ruleId}},`;
    }
    this.#misses = text;
    this.#missesEnd = ends;
  }

  /** @returns `undefined` where there is none: text that has a lone surrogate in it */
  of(result: Result): string | undefined {
    if (result.status !== "OK") return canonicalForm(result);
    const { data, meta } = result;
    const index = meta.evaluatedRules.length - 1;
    const ruleId = this.#ruleIds[index];
    // `toJSON` is told its key.
    if (ruleId === undefined || typeof data !== "object" || (data !== null && "toJSON" in data))
      return canonicalForm(result);
    const written = canonicalForm(data);
    const explanation = canonicalForm(meta.explanation);
    if (written === undefined || explanation === undefined) return undefined;
    const misses = this.#misses.slice(0, this.#missesEnd[index]);
    return (
      `{"data":${written}${this.#betweenDataAndInstant}${meta.evaluatedAt}","evaluatedRules":[${misses}` +
      `{"explanation":${explanation},"matched":true,"ruleId":${ruleId}}],` +
      `"explanation":${explanation},"matchedRule":${ruleId}},"status":"OK"}`
    );
  }
}
