import type { Issue } from "../explain/issue.js";
import type { Extent, Validator } from "../validate/validator.js";

/** Judges values by one definition during a validation. Each value is judged once, however many references lead to it. */
export class Judgement {
  readonly #compile: () => Validator;
  readonly #verdicts = new Map<unknown, boolean>();
  readonly #explanations = new Map<unknown, readonly Issue[]>();
  #validator: Validator | undefined;

  /** @param compile - called for the first value, because the validator may need this judgement itself */
  constructor(compile: () => Validator) {
    this.#compile = compile;
  }

  accepts(value: unknown): boolean {
    return remembered(this.#verdicts, value, () => this.#compiled().accepts(value));
  }

  explain(value: unknown, extent: Extent): readonly Issue[] {
    return remembered(this.#explanations, value, () => this.#compiled().explain(value, extent));
  }

  #compiled(): Validator {
    this.#validator ??= this.#compile();
    return this.#validator;
  }
}

/** The nesting depth of the judgements in progress. */
let depth = 0;
const filled: Map<unknown, unknown>[] = [];

/** Returns the known judgement of a value, or makes one. Everything is forgotten after the outermost judgement. */
function remembered<T>(known: Map<unknown, T>, value: unknown, find: () => T): T {
  const before = known.get(value);
  if (before !== undefined) return before;
  depth += 1;
  try {
    const found = find();
    if (known.size === 0) filled.push(known);
    known.set(value, found);
    return found;
  } finally {
    depth -= 1;
    if (depth === 0) for (const map of filled.splice(0)) map.clear();
  }
}
