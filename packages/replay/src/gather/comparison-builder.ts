import type { DecisionRecord } from "@decern/core";
import { dataOf, type Judgement, toCallOutcome } from "../judge/judgement.js";
import type { Comparison, ReplayExample } from "../report/replay-report.js";
import { LabelTablesBuilder } from "./label-tables.js";
import { NumberShifts } from "./number-shifts.js";
import { OutcomeMatrix } from "./outcome-matrix.js";
import { TallyCounter, VersionCounter } from "./tally.js";

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

  /** @param beforeVersion - the recorded one */
  add(record: DecisionRecord, judgement: Judgement, weight: number, beforeVersion: string): void {
    const { verdict, before, after } = judgement;
    this.#tally.add(verdict, weight);
    this.#before.add(beforeVersion);
    if (judgement.isExplainedDifferently) this.#explainedDifferently += 1;
    if (before === undefined || after === undefined) return;
    this.#after.add(after.version);
    this.#labels?.add(record.payload, before, after);
    if (verdict === "unchanged") {
      this.#matrix.addUnchanged(before.outcome, weight);
      this.#numbers.addSame(dataOf(before), weight);
    } else {
      this.#numbers.addPair(dataOf(before), dataOf(after), weight);
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

/** Characters of the input: what is quick to read is a good example. */
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
