import type { Ranges } from "../engine/axis.js";
import { type Box, piecesOf, volume, without } from "./box.js";
import type { Budget } from "./budget.js";
import { type Part, partsOf } from "./parts.js";
import { common, contains, countOf, meet, minus, united } from "./ranges.js";
import type { Space } from "./space.js";

/** What a search for uncovered boxes found. */
export interface Uncovered {
  /** Disjoint. */
  readonly boxes: readonly Box[];
  /** Whether there is nothing else: neither was the budget spent nor the limit reached. */
  readonly isComplete: boolean;
}

export interface CoverOptions {
  /** Boxes after which to stop. */
  readonly limit: number;
  /** Rows of which no two overlap: what they cover can be counted. */
  readonly disjoint: ReadonlySet<number>;
}

/** Finds what rows leave uncovered in a box. */
export function uncovered(
  space: Space,
  box: Box,
  rows: readonly number[],
  budget: Budget,
  options: CoverOptions,
): Uncovered {
  const search = new Search(space, box, rows, budget, options);
  const sides = space.sides.map((_side, at) => at);
  if (box.every((ranges) => ranges.length > 0)) search.look(sides, { rows, hash: "" }, []);
  return { boxes: search.found, isComplete: !search.isStopped };
}

/**
 * Splits the box side by side into parts that the same rows cover, until none is left or one covers the rest. Parts that fewer
 * rows cover are looked at first, and those that were found to be covered once are not looked at again.
 */
class Search {
  readonly found: Box[] = [];
  isStopped = false;
  /** What the disjoint rows and the boxes that were found leave of the box. */
  #left: bigint;
  /** Parts without rows. Not all of them add a box: those that were found may have the whole of one. */
  #open = 0;
  readonly #space: Space;
  readonly #box: Box;
  readonly #budget: Budget;
  readonly #rows: readonly number[];
  readonly #options: CoverOptions;
  /** Rows that were found to cover the rest of the sides, by the hash of both. */
  readonly #covered = new Map<string, readonly number[]>();
  /** Per side and row, whether it has all of the box there: 0 if that isn't known yet, 1 if not, 2 if so. */
  readonly #spans: readonly Uint8Array[];

  constructor(space: Space, box: Box, rows: readonly number[], budget: Budget, options: CoverOptions) {
    this.#space = space;
    this.#box = box;
    this.#rows = rows;
    this.#budget = budget;
    this.#options = options;
    this.#spans = space.sides.map(() => new Uint8Array(space.size));
    const sides = space.sides.map((_side, at) => at);
    this.#left = volume(box.map(countOf));
    for (const row of rows)
      if (options.disjoint.has(row)) this.#left -= volume(sides.map((side) => this.#countOn(side, row)));
  }

  /** @param chosen - side and ranges, for those that were split */
  look(
    sides: readonly number[],
    { rows, hash }: Pick<Part, "rows" | "hash">,
    chosen: readonly (readonly [number, Ranges])[],
  ): void {
    if (this.isStopped || this.#left === 0n) return;
    if (!this.#budget.spend(rows.length * sides.length + 1)) {
      this.isStopped = true;
      return;
    }
    if (rows.length === 0) {
      this.#open += 1;
      const given = new Map(chosen);
      this.#take(this.#box.map((ranges, side) => given.get(side) ?? ranges));
      return;
    }
    if (rows.some((row) => sides.every((side) => this.#spansBox(side, row)))) return;
    const known = this.#foundAcross(sides, chosen);
    if (this.#covers(sides, rows, known)) return;
    const limiting = sides.map((side) => ({ side, rows: this.#limitedBy(side, rows) }));
    const left = limiting.filter((one) => one.rows > 0);
    const key = `${left.map(({ side }) => side).join()}:${hash}`;
    const covered = this.#covered.get(key);
    if (covered !== undefined && areSameRows(covered, rows)) return;
    const before = this.#open;
    const [most] = left.toSorted((one, other) => other.rows - one.rows);
    if (most === undefined) return;
    const others = left.flatMap(({ side }) => (side === most.side ? [] : [side]));
    const side = this.#space.sides[most.side];
    const parts = side && partsOf(side, this.#box[most.side] ?? [], rows, this.#budget);
    this.isStopped ||= parts === undefined;
    for (const part of parts ?? []) this.look(others, part, [...chosen, [most.side, part.ranges]]);
    if (!this.isStopped && this.#open === before && known.length === 0) this.#covered.set(key, rows);
  }

  /** Boxes that were grown beyond the part that they were found in: those that have all of this one, but for the sides to be looked at. */
  #foundAcross(sides: readonly number[], chosen: readonly (readonly [number, Ranges])[]): readonly Box[] {
    const part = [...this.#box];
    for (const [side, ranges] of chosen) part[side] = ranges;
    return this.found.filter((box) =>
      part.every((own, side) => sides.includes(side) || contains(box[side] ?? [], own)),
    );
  }

  /** Adds what is not part of a box that was found already. */
  #take(box: Box): void {
    const pieces: Box[] = [box];
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      const own = piece;
      const other = this.found.find((found) => found.every((ranges, side) => meet(ranges, own[side] ?? [])));
      if (other !== undefined) pieces.push(...without(own, other));
      else {
        const grown = this.#options.limit === 1 ? own : this.#grown(own);
        this.found.push(grown);
        this.#left -= volume(grown.map(countOf));
      }
      if (this.#left === 0n) return;
      if (this.found.length < this.#options.limit) continue;
      this.isStopped = true;
      return;
    }
  }

  /** The box, as far as it can be extended side by side until it meets rows, or boxes that were found. */
  #grown(box: Box): Box {
    let grown = box;
    for (const side of box.keys()) {
      const touching: Ranges[] = [];
      this.#budget.spend(this.#rows.length * 2);
      for (const row of this.#rows) {
        const ranges = this.#space.sides[side]?.ranges[row] ?? [];
        if (this.#meetsBut(side, grown, (at) => this.#space.sides[at]?.ranges[row] ?? []))
          touching.push(ranges);
      }
      for (const found of this.found)
        if (this.#meetsBut(side, grown, (at) => found[at] ?? [])) touching.push(found[side] ?? []);
      const free = minus(this.#box[side] ?? [], united(touching));
      grown = grown.with(side, piecesOf(free, grown[side] ?? []));
    }
    return grown;
  }

  /** Whether two boxes meet on all sides but one. */
  #meetsBut(side: number, box: Box, other: (at: number) => Ranges): boolean {
    for (let at = 0; at < box.length; at += 1)
      if (at !== side && !meet(box[at] ?? [], other(at))) return false;
    return true;
  }

  #limitedBy(side: number, rows: readonly number[]): number {
    let count = 0;
    for (const row of rows) if (!this.#spansBox(side, row)) count += 1;
    return count;
  }

  #spansBox(side: number, row: number): boolean {
    const spans = this.#spans[side];
    if (spans === undefined) return false;
    const known = spans[row];
    if (known !== 0) return known === 2;
    const found = contains(this.#space.sides[side]?.ranges[row] ?? [], this.#box[side] ?? []);
    spans[row] = found ? 2 : 1;
    return found;
  }

  /** Whether disjoint rows and boxes have as many places together as there are. */
  #covers(sides: readonly number[], rows: readonly number[], boxes: readonly Box[]): boolean {
    if (this.#options.disjoint.size === 0) return false;
    const all = volume(sides.map((side) => countOf(this.#box[side] ?? [])));
    let sum = 0n;
    for (const row of rows)
      if (this.#options.disjoint.has(row)) sum += volume(sides.map((side) => this.#countOn(side, row)));
    for (const box of boxes) sum += volume(sides.map((side) => countOf(box[side] ?? [])));
    return sum === all;
  }

  #countOn(side: number, row: number): number {
    const box = this.#box[side] ?? [];
    return countOf(this.#spansBox(side, row) ? box : common(this.#space.sides[side]?.ranges[row] ?? [], box));
  }
}

function areSameRows(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  const rows = new Set(one);
  return other.every((row) => rows.has(row));
}
