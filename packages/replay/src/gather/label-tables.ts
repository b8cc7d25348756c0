import { canonicalForm } from "@decern/core/host";
import { tokensOf, valueAt } from "../json.js";
import type { Ending } from "../judge/judgement.js";
import type { LabelRow, LabelTables } from "../report/replay-report.js";

/** Most different labels, and most different predictions. What is beyond them is counted together. */
const maxWords = 200;

const other = "other";

/** Longer ones are no labels. */
const maxLength = 200;

/** Counts outcomes by what is known to be true. */
export class LabelTablesBuilder {
  readonly #label: string;
  readonly #prediction: string | undefined;
  readonly #labelTokens: readonly string[];
  readonly #predictionTokens: readonly string[] | undefined;
  readonly #labels = new Set<string>();
  readonly #predictions = new Set<string>();
  readonly #rows = new Map<string, { label: string; prediction: string; before: number; after: number }>();

  /** @param prediction - a pointer into the envelope. @default status and rule */
  constructor(label: string, prediction: string | undefined) {
    this.#label = label;
    this.#prediction = prediction;
    this.#labelTokens = tokensOf(label);
    this.#predictionTokens = prediction === undefined ? undefined : tokensOf(prediction);
  }

  add(payload: unknown, before: Ending, after: Ending): void {
    const label = wordOf(valueAt(payload, this.#labelTokens), this.#labels);
    this.#row(label, this.#predictionOf(before)).before += 1;
    this.#row(label, this.#predictionOf(after)).after += 1;
  }

  get tables(): LabelTables {
    const rows = [...this.#rows.values()].sort(
      (a, b) => order(a.label, b.label) || order(a.prediction, b.prediction),
    );
    const records = rows.reduce((sum, { before }) => sum + before, 0);
    const agreeing = rows.filter(({ label, prediction }) => label === prediction && isWord(label));
    const hasCommon = rows.some(({ prediction }) => isWord(prediction) && this.#labels.has(prediction));
    const share = (side: "before" | "after"): number =>
      agreeing.reduce((sum, row) => sum + row[side], 0) / records;
    return {
      label: this.#label,
      prediction: this.#prediction ?? "",
      rows: rows.map((row): LabelRow => ({ ...row })),
      ...(hasCommon ? { agreementBefore: share("before"), agreementAfter: share("after") } : {}),
    };
  }

  #predictionOf(ending: Ending): string {
    const value =
      this.#predictionTokens === undefined
        ? ending.outcome
        : valueAt(ending.envelope, this.#predictionTokens);
    return wordOf(value, this.#predictions);
  }

  #row(label: string, prediction: string): { before: number; after: number } {
    const key = `${label}\n${prediction}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { label, prediction, before: 0, after: 0 };
      this.#rows.set(key, row);
    }
    return row;
  }
}

function wordOf(value: unknown, words: Set<string>): string {
  if (value === undefined) return "undefined";
  const text = canonicalForm(value) ?? "undefined";
  if (words.has(text)) return text;
  if (words.size === maxWords || text.length > maxLength) return other;
  words.add(text);
  return text;
}

function isWord(text: string): boolean {
  return text !== "undefined" && text !== other;
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
