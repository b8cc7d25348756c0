import type { Schema } from "@decern/core";
import { canonicalForm } from "@decern/core/tools";
import { defaultId, isListPolicy } from "../document/document.js";
import { Outputs } from "../engine/outputs.js";
import { policyOf } from "../engine/policies.js";
import type { ModelRow, TableModel } from "../model.js";
import { Budget } from "./budget.js";
import { type Box, boxOf, sizeOf, uncovered, wholeBox } from "./cover.js";
import { OverlapGraph } from "./overlap-graph.js";
import { visitOverlaps } from "./pairs.js";
import { common, contains, meet, type Space, spaceOf } from "./space.js";
import { type Witness, Witnesses } from "./witness.js";

/** Two tables of one contract, and where they can differ. */
export interface ComparedTables {
  readonly before: TableModel;
  readonly after: TableModel;
  /** Ids of the rows of each whose conditions, outputs or place differ from those of the other. */
  readonly beforeRows: ReadonlySet<string>;
  readonly afterRows: ReadonlySet<string>;
  /**
   * What a different hit policy, or order of priorities, has an effect on: `none` where they are the same, `several` if only inputs
   * that meet several rows have another result.
   */
  readonly policyAffects: "none" | "several" | "all";
  readonly isDefaultSame: boolean;
}

export interface ComparisonSettings {
  /** That has passed validation: what rows refer to. */
  readonly profile: unknown;
  readonly inputSchema: Schema;
  /** Steps of some nanoseconds. */
  readonly budget: number;
  /** Differences after which no more are listed. */
  readonly limit: number;
  /** Evaluates an input with both, and says whether their results differ. */
  readonly isDifferent: (witness: Witness) => boolean;
}

/** What a comparison of results found. */
export interface ChangedResults {
  /** An input for each pair of lists of rows that decide before and after. */
  readonly witnesses: readonly Witness[];
  /** Why there may be others, in sentences with the rows they are about. */
  readonly undecided: readonly { readonly rules?: readonly string[]; readonly message: string }[];
}

/** Finds inputs whose result differs: all pairs of lists of rows that make a difference, as far as the budget lasts. */
export function changedResults(tables: ComparedTables, settings: ComparisonSettings): ChangedResults {
  const comparison = new Comparison(tables, settings);
  comparison.run();
  return comparison;
}

/** Both tables as one space: the rows of the first, and then those of the second. */
class Comparison {
  readonly witnesses: Witness[] = [];
  readonly undecided: { readonly rules?: readonly string[]; readonly message: string }[] = [];
  readonly #tables: ComparedTables;
  readonly #settings: ComparisonSettings;
  readonly #space: Space;
  readonly #witnessesOf: Witnesses;
  readonly #budget: Budget;
  readonly #firstAfter: number;
  readonly #isChanged: readonly boolean[];
  readonly #emitters: readonly [Emitter, Emitter];
  /** What was decided about the rows that meet an input: of a pair without a witness, the next box may have one. */
  readonly #decided = new Map<string, "same" | "different">();
  readonly #open = new Map<string, { readonly rows: readonly number[]; readonly message: string }>();
  /** Parts of the box at hand in which everything was decided, by their sides and rows. */
  readonly #done = new Set<string>();
  /** Whether there are more boxes to look at than were kept. */
  #isCut = false;

  constructor(tables: ComparedTables, settings: ComparisonSettings) {
    const { before, after } = tables;
    this.#tables = tables;
    this.#settings = settings;
    const joined = joinedModel(before, after);
    this.#space = spaceOf(joined, settings.profile);
    this.#witnessesOf = new Witnesses(this.#space, settings.inputSchema);
    this.#budget = new Budget(settings.budget);
    this.#firstAfter = before.rows.length;
    this.#isChanged = joined.rows.map(({ id }, row) =>
      (row < this.#firstAfter ? tables.beforeRows : tables.afterRows).has(id),
    );
    this.#emitters = [new Emitter(before, settings.profile), new Emitter(after, settings.profile)];
  }

  run(): void {
    for (const box of this.#boxes()) {
      if (this.#isStopped) break;
      this.#done.clear();
      this.#budget.spend(this.#space.size * 2);
      const rows = this.#rows().filter((row) =>
        this.#space.sides.every(({ ranges }, at) => meet(ranges[row] ?? [], box[at] ?? [])),
      );
      this.#look(box, rows, [...box.keys()]);
    }
    for (const { rows, message } of this.#open.values())
      this.undecided.push({ rules: [...new Set(rows.map((row) => this.#idOf(row)))], message });
    if (this.#budget.isSpent) this.undecided.push({ message: "The budget of the analysis is spent" });
    else if (this.#isCut || this.witnesses.length >= this.#settings.limit)
      this.undecided.push({ message: "There may be more inputs with another result than are listed" });
  }

  get #isStopped(): boolean {
    return this.#budget.isSpent || this.witnesses.length >= this.#settings.limit;
  }

  /** Boxes outside of which no result can differ. */
  *#boxes(): Generator<Box> {
    const { policyAffects, isDefaultSame } = this.#tables;
    if (policyAffects === "all") {
      yield wholeBox(this.#space);
      return;
    }
    for (const row of this.#rows()) if (this.#isChanged[row] === true) yield boxOf(this.#space, row);
    if (policyAffects === "several") yield* this.#sharedBoxes();
    if (!isDefaultSame) yield* this.#emptyBoxes();
  }

  /** Where an input meets several rows of one table. */
  *#sharedBoxes(): Generator<Box> {
    const pairs: Box[] = [];
    const rows = this.#rows();
    for (const own of [
      rows.filter((row) => row < this.#firstAfter),
      rows.filter((row) => row >= this.#firstAfter),
    ])
      visitOverlaps(this.#space, own, this.#budget, (row, earlier) => {
        for (const other of earlier)
          pairs.push(this.#space.sides.map(({ ranges }) => common(ranges[row] ?? [], ranges[other] ?? [])));
        this.#isCut ||= pairs.length > mostPairs;
        return !this.#isCut;
      });
    yield* pairs;
  }

  /** Where an input meets no row. */
  *#emptyBoxes(): Generator<Box> {
    const rows = this.#rows().filter((row) => this.#space.isOpen[row] === false);
    const graph = new OverlapGraph(this.#space.size);
    const lasted = visitOverlaps(this.#space, rows, this.#budget, (row, earlier) => {
      graph.add(row, earlier);
      return !graph.isCut;
    });
    const disjoint = lasted
      ? new Set(
          [...graph.disjoint((row) => sizeOf(boxOf(this.#space, row)))].filter((row) => rows.includes(row)),
        )
      : new Set<number>();
    const { limit } = this.#settings;
    const found = uncovered(this.#space, wholeBox(this.#space), rows, this.#budget, { limit, disjoint });
    this.#isCut ||= !found.isComplete;
    yield* found.boxes;
  }

  /** Rows that an input may meet. */
  #rows(): readonly number[] {
    return [...this.#space.isEmpty.keys()].filter((row) => this.#space.isEmpty[row] === false);
  }

  /**
   * Splits a box along sides until all of it meets the same rows.
   *
   * @param sides - those along which rows may still end within the box
   * @returns whether everything in it was decided
   */
  #look(box: Box, rows: readonly number[], sides: readonly number[]): boolean {
    const { policyAffects, isDefaultSame } = this.#tables;
    const mayDiffer =
      policyAffects !== "none" ||
      rows.some((row) => this.#isChanged[row]) ||
      (!isDefaultSame && rows.every((row) => this.#space.isOpen[row] === true));
    if (!mayDiffer) return true;
    if (this.#isStopped || !this.#budget.spend(rows.length * sides.length + 1)) return false;
    const limiting = sides
      .map((side) => ({ side, count: rows.filter((row) => !this.#spans(row, side, box)).length }))
      .filter(({ count }) => count > 0);
    const [most] = limiting.toSorted((one, other) => other.count - one.count);
    if (most === undefined) return this.#compare(box, rows);
    const others = limiting.flatMap(({ side }) => (side === most.side ? [] : [side]));
    const key = rows.length > mostRemembered ? undefined : `${sides.join()}:${rows.join()}`;
    if (key !== undefined && this.#done.has(key)) return true;
    let isDecided = true;
    for (const [part, ranges] of this.#parts(box, rows, most.side))
      isDecided = this.#look(box.with(most.side, ranges), part, others) && isDecided;
    if (isDecided && key !== undefined) this.#done.add(key);
    return isDecided;
  }

  #spans(row: number, side: number, box: Box): boolean {
    return contains(this.#space.sides[side]?.ranges[row] ?? [], box[side] ?? []);
  }

  /** The parts of a side, each with the rows that have it. */
  #parts(
    box: Box,
    rows: readonly number[],
    side: number,
  ): readonly (readonly [readonly number[], number[]])[] {
    const own = box[side] ?? [];
    const rangesOf = rows.map((row) => common(this.#space.sides[side]?.ranges[row] ?? [], own));
    const cuts = new Set<number>();
    for (const ranges of [own, ...rangesOf])
      for (let at = 0; at < ranges.length; at += 2) cuts.add(ranges[at] ?? 0).add((ranges[at + 1] ?? 0) + 1);
    const sorted = [...cuts].sort((one, other) => one - other);
    this.#budget.spend(sorted.length * rows.length);
    const parts = new Map<string, [readonly number[], number[]]>();
    for (const [at, from] of sorted.entries()) {
      const to = (sorted[at + 1] ?? from) - 1;
      if (this.#isStopped || !meet(own, [from, to])) continue;
      const part = rows.filter((_row, place) => meet(rangesOf[place] ?? [], [from, to]));
      const key = part.join();
      const known = parts.get(key);
      if (known === undefined) parts.set(key, [part, [from, to]]);
      else if (known[1].at(-1) === from - 1) known[1][known[1].length - 1] = to;
      else known[1].push(from, to);
    }
    return [...parts.values()];
  }

  /** @returns whether it is decided that the results in a box are the same, or that they differ */
  #compare(box: Box, rows: readonly number[]): boolean {
    const isOpen = rows.some((row) => this.#space.isOpen[row] === true);
    const before = this.#deciding(
      rows.filter((row) => row < this.#firstAfter),
      this.#tables.before,
      isOpen,
    );
    const after = this.#deciding(
      rows.filter((row) => row >= this.#firstAfter),
      this.#tables.after,
      isOpen,
    );
    const key = `${before.join()} ${after.join()}`;
    if (this.#decided.has(key)) return true;
    const [first, second] = [
      this.#emitters[0].emitted(before),
      this.#emitters[1].emitted(after.map((row) => row - this.#firstAfter)),
    ];
    const isSame =
      !isOpen && first.key === second.key && (first.isSettled || this.#tables.policyAffects === "none");
    if (isSame) return this.#decide(key, "same");
    const isSettled = !isOpen && first.isSettled && second.isSettled;
    const found = [box, ...(isSettled ? [] : [lastPlaces(box)])].flatMap(
      (each) => this.#witnessesOf.in(each) ?? [],
    );
    const different = found.find((witness) => this.#settings.isDifferent(witness));
    if (different !== undefined) {
      this.witnesses.push(different);
      return this.#decide(key, "different");
    }
    if (found.length > 0 && isSettled) return this.#decide(key, "same");
    const message = found.length === 0 ? noInput : isOpen ? open : depends;
    this.#open.set(key, { rows: [...before, ...after], message });
    return false;
  }

  /** Of rows that meet an input, those that the result depends on. */
  #deciding(rows: readonly number[], { hitPolicy }: TableModel, isOpen: boolean): readonly number[] {
    return hitPolicy === "F" && !isOpen ? rows.slice(0, 1) : rows;
  }

  #decide(key: string, verdict: "same" | "different"): true {
    this.#decided.set(key, verdict);
    this.#open.delete(key);
    return true;
  }

  #idOf(row: number): string {
    const { before, after } = this.#tables;
    return (before.rows[row] ?? after.rows[row - this.#firstAfter])?.id ?? defaultId;
  }
}

const mostPairs = 100_000;
const mostRemembered = 200;

const noInput = "No input was found that passes validation and meets them";
const open = "Conditions refer to the input, or compare texts by order";
const depends = "What they return depends on the input, and the inputs that were tried have the same result";

/** The end of each side, where a box was tried at its beginning. */
function lastPlaces(box: Box): Box {
  return box.map((ranges) => {
    const last = ranges.at(-1);
    return last === undefined ? ranges : [last, last];
  });
}

/** One table with the columns of two, whose rows ask nothing of the other's. */
function joinedModel(before: TableModel, after: TableModel): TableModel {
  const any = { kind: "any" } as const;
  const padded = (row: ModelRow, ahead: number, behind: number): ModelRow => ({
    ...row,
    conditions: [...Array(ahead).fill(any), ...row.conditions, ...Array(behind).fill(any)],
  });
  const [own, others] = [before.columns, after.columns];
  return {
    ...before,
    columns: [...own, ...others],
    rows: [
      ...before.rows.map((row) => padded(row, 0, others.length)),
      ...after.rows.map((row) => padded(row, own.length, 0)),
    ],
  };
}

/** Says what a table emits for rows, without an input. */
class Emitter {
  readonly #model: TableModel;
  readonly #profile: unknown;
  readonly #outputs: Outputs;

  constructor(model: TableModel, profile: unknown) {
    this.#model = model;
    this.#profile = profile;
    this.#outputs = new Outputs(model);
  }

  /**
   * @param rows - that an input meets, in the order of the table
   * @returns a text that is the same for rows that emit the same; if not `isSettled`, under the same policy
   */
  emitted(rows: readonly number[]): { readonly key: string; readonly isSettled: boolean } {
    const { document, hitPolicy } = this.#model;
    const fails = { key: "!", isSettled: true };
    if (hitPolicy === "U" && rows.length > 1) return fails;
    const cells =
      rows.length > 0 ? rows.map((row) => document.rules[row]?.then ?? []) : [document.default ?? []];
    if (cells.flat().some(refersToInput)) {
      const named = cells.map((row) => document.outputs.map(({ path }, at) => [path, row[at]]));
      return { key: `?${JSON.stringify([rows.length > 0, named])}`, isSettled: false };
    }
    try {
      return { key: `=${canonicalForm(this.#result(rows))}`, isSettled: true };
    } catch {
      // The policy doesn't allow these rows together, or they emit what it can't add up.
      return fails;
    }
  }

  #result(rows: readonly number[]): unknown {
    const context = { now: new Date(0), requestId: "", caller: undefined };
    let at = 0;
    const next = (): number => {
      const row = rows[at] ?? -1;
      at += 1;
      return row;
    };
    const outcome = policyOf(this.#model, this.#outputs)({ next }, {}, this.#profile, context);
    if (outcome !== undefined) return outcome.emitted;
    const values = this.#model.emitDefault?.({}, this.#profile, context);
    if (values === undefined) return null;
    const whole = this.#outputs.object(values);
    return isListPolicy(this.#model.hitPolicy) ? [whole] : whole;
  }
}

/** Of a text in quotes it may say so, too: then an input decides. */
function refersToInput(cell: unknown): boolean {
  return typeof cell === "string" && /\binput\b/.test(cell);
}
