import type { Decision, DecisionRecord, RecordPayload } from "@decern/core";
import { isJsonObject, memberOf } from "@decern/core/schema";
import type { TableDocument } from "@decern/table";
import type { Coverage, OtherContent } from "../text/show-table.js";

/** One evaluation in a record. */
interface Evaluated {
  readonly id: string;
  readonly version: string;
  readonly contentHash: string | undefined;
  readonly status: unknown;
  /** Where the record has it apart from the result. */
  readonly matchedRule?: string | undefined;
  readonly result: unknown;
}

/** Counts the rows that evaluations of a table hit. */
export class TableCoverage {
  readonly #decision: Decision;
  readonly #rows: Map<string, { hits: number; last?: string }>;
  readonly #others = new Map<
    string,
    Omit<OtherContent, "evaluations"> & { evaluations: number; last: string }
  >();
  #evaluations = 0;
  #withoutRow = 0;
  #onlyFirst = 0;
  #sampled = 0;

  constructor(decision: Decision, { rules, default: otherwise }: TableDocument) {
    this.#decision = decision;
    const ids = [...rules.map(({ id }) => id), ...(otherwise === undefined ? [] : ["default"])];
    this.#rows = new Map(ids.map((id) => [id, { hits: 0 }]));
  }

  add(record: DecisionRecord): void {
    const { decision, contentHash, status, matchedRule, payload } = record;
    this.#addEvaluated({ ...decision, contentHash, status, matchedRule, result: payload?.result }, record);
    this.#addUsed(payload?.used, record);
  }

  #addUsed(used: RecordPayload["used"], record: DecisionRecord): void {
    for (const each of used ?? []) {
      if (each === null) continue;
      const { id, version, contentHash, result, used: own } = each;
      if (id !== undefined && version !== undefined)
        this.#addEvaluated({ id, version, contentHash, status: memberOf(result, "status"), result }, record);
      this.#addUsed(own, record);
    }
  }

  #addEvaluated(
    { id, version, contentHash, status, matchedRule, result }: Evaluated,
    { recordedAt, sampleRate }: Pick<DecisionRecord, "recordedAt" | "sampleRate">,
  ): void {
    // What ends in another way says nothing of rows.
    if (id !== this.#decision.id || (status !== "OK" && status !== "NO_MATCH")) return;
    if (contentHash !== this.#decision.contentHash) {
      this.#addOther(version, contentHash, recordedAt);
      return;
    }
    this.#evaluations += 1;
    if (sampleRate < 1) this.#sampled += 1;
    const traced = hitsIn(result);
    if (traced === undefined && matchedRule !== undefined) this.#onlyFirst += 1;
    const hits = traced ?? (matchedRule === undefined ? [] : [matchedRule]);
    if (hits.length === 0) this.#withoutRow += 1;
    for (const rule of new Set(hits)) {
      const row = this.#rows.get(rule);
      if (row === undefined) continue;
      row.hits += 1;
      if (row.last === undefined || row.last < recordedAt) row.last = recordedAt;
    }
  }

  #addOther(version: string, contentHash: string | undefined, recordedAt: string): void {
    const key = JSON.stringify([version, contentHash]);
    const known = this.#others.get(key);
    if (known === undefined) {
      const content = contentHash === undefined ? {} : { contentHash };
      this.#others.set(key, { version, ...content, evaluations: 1, first: recordedAt, last: recordedAt });
      return;
    }
    known.evaluations += 1;
    if (known.last < recordedAt) known.last = recordedAt;
  }

  get found(): Coverage {
    const { version, contentHash } = this.#decision;
    return {
      version,
      contentHash,
      evaluations: this.#evaluations,
      rows: [...this.#rows].map(([rule, counted]) => ({ rule, ...counted })),
      withoutRow: this.#withoutRow,
      onlyFirst: this.#onlyFirst,
      sampled: this.#sampled,
      others: [...this.#others.values()].toSorted((one, other) => other.evaluations - one.evaluations),
    };
  }
}

/** The rows that an envelope names as hit; `undefined` if it has no traces. */
function hitsIn(result: unknown): readonly string[] | undefined {
  const traces = memberOf(memberOf(result, "meta"), "evaluatedRules");
  if (!Array.isArray(traces)) return undefined;
  return traces.flatMap((trace: unknown) =>
    isJsonObject(trace) && trace["matched"] === true && typeof trace["ruleId"] === "string"
      ? [trace["ruleId"]]
      : [],
  );
}
