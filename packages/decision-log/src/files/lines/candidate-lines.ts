import { newline } from "./line-blocks.js";
import type { LineFilter } from "./line-filter.js";
import { timeOf } from "./record-text.js";

/** Steps through the lines of a block that may match a query: {@link LineFilter.parse} tells. */
export class CandidateLines {
  /** Where the line is in the block, without its newline. */
  start = 0;
  end = -1;
  readonly #block: Buffer;
  readonly #filter: LineFilter;
  /** Where each needle was found last, so that none is looked for twice. */
  readonly #places: number[];

  constructor(block: Buffer, filter: LineFilter) {
    this.#block = block;
    this.#filter = filter;
    this.#places = filter.needles.map(() => -1);
  }

  /** @returns whether there was another line */
  next(): boolean {
    const block = this.#block;
    const from = this.end + 1;
    if (from >= block.length) return false;
    const hasNeedles = this.#places.length > 0;
    const at = hasNeedles ? this.#nextNeedle(from) : from;
    if (at === Number.POSITIVE_INFINITY) {
      this.end = block.length;
      return false;
    }
    this.start = hasNeedles ? block.lastIndexOf(newline, at) + 1 : from;
    const newlineAt = block.indexOf(newline, at);
    this.end = newlineAt === -1 ? block.length : newlineAt;
    return true;
  }

  /** The instant of the line's record, ISO 8601; `undefined` where it has none. */
  time(): string | undefined {
    return timeOf(this.#block.subarray(this.start, this.end));
  }

  #nextNeedle(from: number): number {
    for (const [index, needle] of this.#filter.needles.entries()) {
      if ((this.#places[index] ?? -1) >= from) continue;
      const at = this.#block.indexOf(needle, from);
      this.#places[index] = at === -1 ? Number.POSITIVE_INFINITY : at;
    }
    return Math.min(...this.#places);
  }
}
