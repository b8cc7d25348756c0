import type { DecisionRecord } from "@decern/core";
import { pointerTokens } from "@decern/core/schema";
import { canonicalForm } from "@decern/core/tools";
import { type Decided, dataOf, type Ending, toCallOutcome } from "../judge/evaluation.js";
import type { Judgement } from "../judge/judge.js";
import { valueAt } from "../judge/masks.js";
import type { Comparison, LabelRow, LabelTables, ReplayExample } from "../report/replay-report.js";
import { NumberShifts } from "./number-shifts.js";
import { OutcomeMatrix, TallyCounter, VersionCounter } from "./tally.js";

/** Most different labels, and most different predictions. All others are counted together. */
const maxWords = 200;

const other = "other";

/** Longer values are not labels. */
const maxLength = 200;

/** Counts outcomes by label. */
class LabelTablesBuilder {
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
    this.#labelTokens = pointerTokens(label);
    this.#predictionTokens = prediction === undefined ? undefined : pointerTokens(prediction);
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

/** What a report is made with. */
export interface ReportSettings {
  /** Most examples of each cell. */
  readonly examples: number;
  readonly label: string | undefined;
  readonly prediction: string | undefined;
}

/** Gathers what became of the calls of one decision. */
export class ComparisonBuilder {
  readonly #decisionId: string;
  readonly #tally = new TallyCounter();
  readonly #before = new VersionCounter();
  readonly #after = new VersionCounter();
  readonly #matrix: OutcomeMatrix;
  readonly #numbers = new NumberShifts();
  readonly #labels: LabelTablesBuilder | undefined;
  #explainedDifferently = 0;

  constructor(decisionId: string, { examples, label, prediction }: ReportSettings) {
    this.#decisionId = decisionId;
    this.#matrix = new OutcomeMatrix(examples);
    this.#labels = label === undefined ? undefined : new LabelTablesBuilder(label, prediction);
  }

  /** @param recorded - what decided then */
  add(record: DecisionRecord, judgement: Judgement, weight: number, recorded: Decided): void {
    const { verdict, before, after } = judgement;
    this.#tally.add(verdict, weight);
    this.#before.add(recorded);
    if (judgement.isExplainedDifferently) this.#explainedDifferently += 1;
    if (before === undefined || after === undefined) return;
    this.#after.add(after);
    this.#labels?.add(record.payload, before, after);
    this.#numbers.add(dataOf(before), dataOf(after), weight);
    if (verdict === "unchanged") {
      this.#matrix.addUnchanged(before.outcome, weight);
    } else {
      this.#matrix.addChanged(before.outcome, after.outcome, weight, sizeOf(record), () =>
        exampleOf(record, judgement),
      );
    }
  }

  build(): Comparison {
    return {
      decisionId: this.#decisionId,
      before: this.#before.versions,
      after: this.#after.versions,
      counts: this.#tally.counts,
      estimated: this.#tally.estimated,
      explainedDifferently: this.#explainedDifferently,
      matrix: this.#matrix.cells,
      numbers: this.#numbers.shifts,
      ...(this.#labels === undefined ? {} : { labels: this.#labels.tables }),
    };
  }
}

/** Characters of the input: short inputs make good examples. */
function sizeOf({ payload }: DecisionRecord): number {
  return JSON.stringify(payload?.input)?.length ?? 0;
}

function exampleOf(record: DecisionRecord, { before, after }: Judgement): ReplayExample {
  const { recordId, requestId, recordedAt, caller, masked, payload } = record;
  const none = { outcome: "", version: "" };
  return {
    recordId,
    requestId,
    recordedAt,
    ...(caller === undefined ? {} : { caller }),
    input: payload?.input,
    masked,
    before: before === undefined ? none : toCallOutcome(before),
    after: after === undefined ? none : toCallOutcome(after),
  };
}
