import type { Driver } from "./driver.js";
import type { Journal } from "./journal.js";
import type { World } from "./world.js";

/** What a play has to do with: one core, its decisions, and where it notes what it saw. */
export interface Stage {
  readonly driver: Driver;
  readonly world: World;
  readonly journal: Journal;
}

/** One call, or several, played on each core alike. */
export interface Play {
  readonly name: string;
  run(stage: Stage): Promise<void>;
}

/** What a dimension may be, by its name. */
type Dimensions = Readonly<Record<string, readonly unknown[]>>;
type Choice<D extends Dimensions> = { readonly [Name in keyof D]: D[Name][number] };

/**
 * Takes combinations out of all that there are, the same ones every time. In each, about half of the dimensions have their first
 * value, the plain one: what matters is how a few others go together.
 */
export function combinations<const D extends Dimensions>(
  dimensions: D,
  count: number,
  seed: number,
): readonly Choice<D>[] {
  const next = randomness(seed);
  return Array.from({ length: count }, () => {
    const entries = Object.entries<readonly unknown[]>(dimensions).map(([name, values]) => {
      const index = next() < 0.5 ? 0 : Math.floor(next() * values.length);
      return [name, values[index]] as const;
    });
    // Each name has one of its own values.
    return Object.fromEntries(entries) as Choice<D>;
  });
}

/** Numbers from 0 to 1, the same for a seed: mulberry32. */
function randomness(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
