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

  /** A new object: whoever gets the result may write to it. */
  object(values: readonly unknown[]): unknown {
    const root: Record<string, unknown> = {};
    for (const [place, path] of this.#paths.entries()) write(root, path, values[place]);
    return root;
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

function write(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let holder = root;
  for (const [at, name] of path.entries()) {
    if (at === path.length - 1) {
      define(holder, name, value);
      return;
    }
    const inner: unknown = Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (isRecord(inner)) holder = inner;
    else {
      const made: Record<string, unknown> = {};
      define(holder, name, made);
      holder = made;
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Assigning to `__proto__` would set the prototype instead of a member. */
function define(holder: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  else holder[name] = value;
}
