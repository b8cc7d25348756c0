import { examples } from "../examples.js";
import type { Exploration } from "../explore/exploration.js";
import { explore } from "../explore/explore.js";
import type { LockOptions } from "./lock.js";
import { jsonText } from "./sha256.js";
import { findSteps } from "./steps.js";
import type { Subject } from "./subject.js";

/** How inputs are looked for. */
export interface CorpusSearch extends Omit<LockOptions, "accept"> {
  readonly now: string;
}

/** Looking for steps only evaluates, where exploring tries every rule. */
const stepsPerRun = 5;

/** Inputs worth keeping, each once, as JSON carries them. */
export class Corpus {
  readonly #inputs: unknown[] = [];
  readonly #known = new Set<string>();

  /** @param inputs - in this order */
  constructor(inputs: readonly unknown[] = []) {
    for (const input of inputs) this.#keep(input);
  }

  get inputs(): readonly unknown[] {
    return this.#inputs;
  }

  add(input: unknown): void {
    // A file has no `undefined` and no `-0`: what is locked must be what will be read.
    const text: unknown = JSON.stringify(input);
    if (typeof text !== "string") return;
    const carried: unknown = JSON.parse(text);
    if (!this.#known.has(jsonText(carried))) this.#keep(carried);
  }

  /** Adds the examples of a version, and what exploring it finds. */
  search(subject: Subject, { now, runs = 20_000, ...options }: CorpusSearch): void {
    const starts = examples(subject.decision).map(({ input }) => input);
    for (const input of starts) this.add(input);
    const found = explore(subject.decision, {
      examples: starts,
      profiles: subject.moduleProfiles,
      ...options,
      runs,
      now: new Date(now),
    });
    const reached = found.rules.flatMap(({ witness }) => witness ?? []).map(({ input }) => input);
    for (const input of [...reached, ...furtherWitnesses(found)]) this.add(input);
    for (const pair of findSteps(subject, [...starts, ...reached], now, runs * stepsPerRun))
      for (const input of pair) this.add(input);
  }

  #keep(input: unknown): void {
    this.#known.add(jsonText(input));
    this.#inputs.push(input);
  }
}

/** Without those of rules. */
function furtherWitnesses({ overlaps, noMatch, faults, boundaries }: Exploration): readonly unknown[] {
  return [
    ...overlaps.map(({ witness }) => witness),
    ...(noMatch === undefined ? [] : [noMatch]),
    ...faults.map(({ witness }) => witness),
    // Both sides: a threshold that moves by one changes either of them. `findSteps` looks for those within an output.
    ...boundaries.flatMap(({ witnesses }) => witnesses),
  ].map(({ input }) => input);
}
