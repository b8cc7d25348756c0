import type { Schema } from "@decern/core";
import { defaultId } from "../document/document.js";
import type { TableModel } from "../model.js";
import { type Box, boxOf, sizeOf, wholeBox } from "./box.js";
import { Budget } from "./budget.js";
import { type ComparedTables, joinedModel } from "./compared-tables.js";
import { uncovered } from "./cover.js";
import { OverlapGraph } from "./overlaps.js";
import { visitOverlaps } from "./pairs.js";
import { common, meet } from "./ranges.js";
import { partsOf, spans } from "./side-parts.js";
import { type Space, spaceOf } from "./space.js";
import { Verdicts } from "./verdicts.js";
import { type Witness, Witnesses } from "./witness.js";

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
  readonly undecided: { readonly rules?: readonly string[]; readonly message: string }[] = [];
  readonly #tables: ComparedTables;
  readonly #settings: ComparisonSettings;
  readonly #space: Space;
  readonly #verdicts: Verdicts;
  readonly #budget: Budget;
  readonly #firstAfter: number;
  readonly #isChanged: readonly boolean[];
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
    this.#budget = new Budget(settings.budget);
    const witnesses = new Witnesses(this.#space, settings.inputSchema, this.#budget);
    this.#verdicts = new Verdicts(tables, this.#space, witnesses, settings);
    this.#firstAfter = before.rows.length;
    this.#isChanged = joined.rows.map(({ id }, row) =>
      (row < this.#firstAfter ? tables.beforeRows : tables.afterRows).has(id),
    );
  }

  get witnesses(): readonly Witness[] {
    return this.#verdicts.witnesses;
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
    for (const { rows, message } of this.#verdicts.open)
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
    const isOpen = rows.length < this.#rows().length;
    const limit = isOpen ? this.#settings.limit : fewBoxes;
    const found = uncovered(this.#space, wholeBox(this.#space), rows, this.#budget, { limit, disjoint });
    yield* found.boxes;
    // What is found for one input without a row holds for all, unless an open row decides.
    this.#isCut ||= !found.isComplete && (isOpen || !this.#verdicts.isEmptyDecided);
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
  #look(box: Box, all: readonly number[], sides: readonly number[]): boolean {
    const { policyAffects, isDefaultSame } = this.#tables;
    if (!this.#budget.spend(all.length * sides.length + 1)) return false;
    const rows = this.#reached(box, all, sides);
    const mayDiffer =
      policyAffects !== "none" ||
      rows.some((row) => this.#isChanged[row]) ||
      (!isDefaultSame && rows.every((row) => this.#space.isOpen[row] === true));
    if (!mayDiffer) return true;
    if (this.#isStopped) return false;
    const limiting = sides
      .map((side) => ({ side, count: rows.filter((row) => !spans(this.#space, row, side, box)).length }))
      .filter(({ count }) => count > 0);
    const [most] = limiting.toSorted((one, other) => other.count - one.count);
    if (most === undefined) return this.#verdicts.compare(box, rows);
    const others = limiting.flatMap(({ side }) => (side === most.side ? [] : [side]));
    const key = rows.length > mostRemembered ? undefined : `${sides.join()}:${rows.join()}`;
    if (key !== undefined && this.#done.has(key)) return true;
    let isDecided = true;
    for (const [part, ranges] of partsOf(this.#space, box, rows, most.side, this.#budget))
      isDecided = this.#look(box.with(most.side, ranges), part, others) && isDecided;
    if (isDecided && key !== undefined) this.#done.add(key);
    return isDecided;
  }

  /** Of policy F, rows after one that has all of the box decide nothing in it. */
  #reached(box: Box, rows: readonly number[], sides: readonly number[]): readonly number[] {
    const { before, after } = this.#tables;
    const endOf = ({ hitPolicy }: TableModel, isOwn: (row: number) => boolean): number =>
      (hitPolicy === "F"
        ? rows.find(
            (row) =>
              isOwn(row) &&
              this.#space.isOpen[row] === false &&
              sides.every((side) => spans(this.#space, row, side, box)),
          )
        : undefined) ?? Number.POSITIVE_INFINITY;
    const first = endOf(before, (row) => row < this.#firstAfter);
    const second = endOf(after, (row) => row >= this.#firstAfter);
    if (first === Number.POSITIVE_INFINITY && second === Number.POSITIVE_INFINITY) return rows;
    return rows.filter((row) => row <= (row < this.#firstAfter ? first : second));
  }

  #idOf(row: number): string {
    const { before, after } = this.#tables;
    return (before.rows[row] ?? after.rows[row - this.#firstAfter])?.id ?? defaultId;
  }
}

const mostPairs = 100_000;
const fewBoxes = 20;
const mostRemembered = 200;
