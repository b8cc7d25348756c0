/** An automaton: which states follow which, and the characters that lead into each, as bits. */
export interface Automaton {
  /** A state that is listed twice is reached in two ways. */
  readonly follow: readonly (readonly number[])[];
  readonly characters: readonly bigint[];
}

/** Steps after which the analysis gives up. */
const maxSteps = 300_000;

/**
 * Whether some text can be read in a number of ways that grows with its length: a matcher that backtracks tries them all.
 * That is so when a state can be left and reached again in two ways by the same text, or when a text that leads from one
 * loop to a second can also be read by each alone.
 *
 * @see Weber and Seidl, On the degree of ambiguity of finite automata (1991)
 * @returns nothing when the automaton is too large to tell
 */
export function isAmbiguous(automaton: Automaton): boolean | undefined {
  const search = new Search(automaton);
  const components = loops(automaton.follow);
  for (const states of components) {
    if (search.readsTwice(states)) return true;
  }
  for (const from of components) {
    for (const to of components) {
      if (from !== to && search.sharesText(from, to)) return true;
    }
  }
  return search.steps > maxSteps ? undefined : false;
}

class Search {
  readonly #automaton: Automaton;
  steps = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  /** Two ways from a state of a loop to itself, by the same text. */
  readsTwice(loop: ReadonlySet<number>): boolean {
    for (const state of loop) {
      const inside = this.#next(state).filter((next) => loop.has(next));
      if (new Set(inside).size < inside.length) return true;
    }
    const within = (pair: readonly number[]): boolean => pair.every((state) => loop.has(state));
    const together = [...loop].map((state) => [state, state]);
    const apart = [...this.#reach(together, within).values()].filter(([a, b]) => a !== b);
    // In a loop every state leads to every other, so that meeting again anywhere is enough.
    return [...this.#reach(apart, within).values()].some(([a, b]) => a === b);
  }

  /** A text that leads from a state of one loop back to it, on to a state of another, and from that back to it. */
  sharesText(from: ReadonlySet<number>, to: ReadonlySet<number>): boolean {
    for (const p of from) {
      for (const q of to) {
        const kept = ([a, , c]: readonly number[]): boolean =>
          a !== undefined && from.has(a) && c !== undefined && to.has(c);
        if (this.#reach([[p, p, q]], kept).has(`${p},${q},${q}`)) return true;
        if (this.steps > maxSteps) return false;
      }
    }
    return false;
  }

  #next(state: number): readonly number[] {
    return this.#automaton.follow[state] ?? [];
  }

  /** Tuples of states that are reached by reading the same text in each; those that begin are not among them, unless reached. */
  #reach(
    start: readonly (readonly number[])[],
    keep: (tuple: readonly number[]) => boolean,
  ): ReadonlyMap<string, readonly number[]> {
    const seen = new Map<string, readonly number[]>();
    const open = [...start];
    for (let tuple = open.pop(); tuple !== undefined; tuple = open.pop()) {
      for (const next of this.#step(tuple)) {
        this.steps += 1;
        if (this.steps > maxSteps) return seen;
        const key = next.join();
        if (seen.has(key) || !keep(next)) continue;
        seen.set(key, next);
        open.push(next);
      }
    }
    return seen;
  }

  *#step(
    tuple: readonly number[],
    chosen: readonly number[] = [],
    shared?: bigint,
  ): Generator<readonly number[]> {
    const state = tuple[chosen.length];
    if (state === undefined) {
      yield chosen;
      return;
    }
    for (const next of this.#next(state)) {
      const characters = this.#automaton.characters[next] ?? 0n;
      const common = shared === undefined ? characters : shared & characters;
      if (common !== 0n) yield* this.#step(tuple, [...chosen, next], common);
    }
  }
}

/** Strongly connected components that hold a way back to themselves. */
function loops(follow: readonly (readonly number[])[]): readonly ReadonlySet<number>[] {
  const reachable = follow.map((_, state) => {
    const seen = new Set<number>();
    const open = [...(follow[state] ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(follow[next] ?? []));
    }
    return seen;
  });
  const found: Set<number>[] = [];
  for (const [state, reached] of reachable.entries()) {
    if (!reached.has(state) || found.some((loop) => loop.has(state))) continue;
    found.push(new Set([...reached].filter((other) => reachable[other]?.has(state) === true)));
  }
  return found;
}
