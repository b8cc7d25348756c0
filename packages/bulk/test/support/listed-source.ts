import type { BulkItem, BulkResult, BulkSource, TakenBatch } from "../../src/index.js";

/** A source in memory. What it was given it has once, until it is committed. */
export class ListedSource implements BulkSource {
  readonly committed: BulkResult[] = [];
  readonly taken: string[] = [];
  released = 0;
  readonly #waiting: BulkItem[];
  readonly #fails: (step: "take" | "commit") => boolean;
  readonly #isEndless: boolean;
  #outside = 0;

  constructor(
    texts: readonly string[],
    {
      fails = () => false,
      isEndless = false,
    }: { fails?: (step: "take" | "commit") => boolean; isEndless?: boolean } = {},
  ) {
    this.#waiting = texts.map((text, index) => ({ position: `p${index}`, bytes: Buffer.from(text) }));
    this.#fails = fails;
    this.#isEndless = isEndless;
  }

  async take(max: number): Promise<TakenBatch | undefined> {
    if (this.#fails("take")) throw new Error("no take today");
    if (this.#waiting.length === 0 && this.#outside === 0 && !this.#isEndless) return undefined;
    const items = this.#waiting.splice(0, max);
    this.#outside += items.length;
    this.taken.push(...items.map(({ position }) => position));
    return {
      items,
      commit: async (results) => {
        if (this.#fails("commit")) throw new Error("no commit today");
        this.committed.push(...results);
        this.#outside -= items.length;
      },
      release: async () => {
        if (items.length > 0) this.released += 1;
        this.#waiting.push(...items);
        this.#outside -= items.length;
      },
    };
  }
}
