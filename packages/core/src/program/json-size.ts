import { maxNesting } from "./nesting.js";

/** How much one request may expand to, as a multiple of its body. */
export const mostExpanded = 8;

/** The usual limit of a body, in bytes. Up to {@link mostExpanded} times as much is never too much. */
const usualBody = 1024 * 1024;

/** About how many bytes JSON values have as text. What occurs several times is looked at once, and counted as often. */
class JsonSizes {
  readonly #known = new Map<object, number>();

  of(value: unknown, levels = maxNesting): number {
    if (typeof value === "string") return value.length + 2;
    if (typeof value !== "object" || value === null) return 5;
    const known = this.#known.get(value);
    // Values with more levels are refused before anything looks into them.
    if (known !== undefined || levels === 0) return known ?? 2;
    let size = 2;
    if (Array.isArray(value)) {
      for (const item of value) size += this.of(item, levels - 1) + 1;
    } else {
      for (const [name, member] of Object.entries(value))
        size += name.length + 4 + this.of(member, levels - 1);
    }
    this.#known.set(value, size);
    return size;
  }
}

export function jsonSize(value: unknown): number {
  return new JsonSizes().of(value);
}

/**
 * Tells whether the evaluations that one body asks for are together too large for it, because they share parts of it: more than
 * eight times the body, and more than 8 MiB.
 *
 * @param values - what is evaluated, each as large as it is for its evaluation
 */
export function expandsTooFar(body: unknown, values: Iterable<unknown>): boolean {
  const sizes = new JsonSizes();
  const most = mostExpanded * Math.max(usualBody, sizes.of(body));
  let size = 0;
  for (const value of values) {
    size += sizes.of(value);
    if (size > most) return true;
  }
  return false;
}
