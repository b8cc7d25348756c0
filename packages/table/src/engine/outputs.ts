import { assemble } from "../document/document.js";
import type { TableModel } from "../model.js";

/** Puts the values of output cells where their columns say. */
export class Outputs {
  readonly #paths: readonly (readonly string[])[];
  /** Per column, the places of values that a priority names, highest first. */
  readonly #priorities: readonly (ReadonlyMap<unknown, number> | undefined)[];

  constructor({ document }: TableModel) {
    this.#paths = document.outputs.map(({ path }) => path.split("."));
    this.#priorities = document.outputs.map(({ priority }) =>
      priority === undefined ? undefined : new Map(priority.map((value, place) => [value, place])),
    );
  }

  /** A new object: callers can write to results. */
  object(values: readonly unknown[]): unknown {
    return assemble(this.#paths, values);
  }

  /** Compares two rows' values by priority, as `sort` does. What no priority names comes last. */
  compare(one: readonly unknown[], other: readonly unknown[]): number {
    for (const [place, priority] of this.#priorities.entries()) {
      if (priority === undefined) continue;
      const difference =
        (priority.get(one[place]) ?? priority.size) - (priority.get(other[place]) ?? priority.size);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
