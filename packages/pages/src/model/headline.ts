import { isObject, own, textOf } from "../json/values.js";
import { Removed } from "./trace.js";

/** Stands in `meta.headline` for every value that has no words of its own. */
const anyValue = "*";

/**
 * The result in its author's words, such as `Approved · 4.9 %`. `meta.headline` has an entry for each output that belongs to
 * it, in order: words by value, or a text in which `{}` stands for the value.
 *
 * @returns `undefined` where the author has named none, or none applies
 */
export function headlineOf(meta: unknown, data: unknown): string | undefined {
  const named = isObject(meta) ? own(meta, "headline") : undefined;
  if (!isObject(named) || !isObject(data)) return undefined;
  const parts = Object.entries(named).flatMap(([output, entry]) => {
    const value = own(data, output);
    if (value instanceof Removed || (typeof value === "object" && value !== null) || value === undefined)
      return [];
    const words = isObject(entry) ? (textOf(entry, String(value)) ?? textOf(entry, anyValue)) : entry;
    return typeof words === "string" && words !== "" ? [words.replace("{}", () => figure(value))] : [];
  });
  return parts.length === 0 ? undefined : parts.join(" · ");
}

/** Whole numbers with separators; others as JSON has them, so that no digit is lost. */
export function figure(value: unknown): string {
  return typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) >= 10_000
    ? value.toLocaleString("en")
    : String(value);
}
