import { DaysDuration, MonthsDuration } from "./durations.js";
import type { Run } from "./run.js";
import { FeelDate, FeelDateTime, FeelTime } from "./temporal.js";
import { FeelRange, type FeelValue, isContext, isList } from "./value.js";

/** Without spaces around the characters that a name may have between its words. */
export function canonicalName(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ?([./\-'+*]) ?/g, "$1");
}

/** What `string()` returns; the text itself for a text. */
export function valueText(value: FeelValue, run: Run): string | null {
  if (value === null) return null;
  return run.text(typeof value === "string" ? value : partText(value, run));
}

/** A value inside another value: texts are in quotes. */
function partText(value: FeelValue | undefined, run: Run): string {
  run.tick();
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return numberText(value);
  if (typeof value === "boolean") return `${value}`;
  if (isList(value))
    return joined(
      "[",
      value.map((item) => partText(item, run)),
      "]",
      run,
    );
  if (isContext(value))
    return joined(
      "{",
      [...value].map(([name, entry]) => `${nameText(name)}: ${partText(entry, run)}`),
      "}",
      run,
    );
  if (value instanceof FeelRange) return rangeText(value, run);
  if (
    value instanceof FeelDate ||
    value instanceof FeelTime ||
    value instanceof FeelDateTime ||
    value instanceof DaysDuration ||
    value instanceof MonthsDuration
  )
    return value.toString();
  return `function ${value.name}`;
}

function joined(start: string, parts: readonly string[], end: string, run: Run): string {
  let length = 2;
  for (const part of parts) length += part.length + 2;
  run.textLength(length);
  return `${start}${parts.join(", ")}${end}`;
}

function rangeText(range: FeelRange, run: Run): string {
  const { start, end, startIncluded, endIncluded, isPoint } = range;
  if (isPoint) return `= ${partText(start, run)}`;
  if (start === undefined && end !== undefined) return `${endIncluded ? "<=" : "<"} ${partText(end, run)}`;
  if (end === undefined && start !== undefined)
    return `${startIncluded ? ">=" : ">"} ${partText(start, run)}`;
  const ends = joined(startIncluded ? "[" : "(", [], "", run) + partText(start, run);
  return `${ends}..${partText(end, run)}${endIncluded ? "]" : ")"}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function nameText(name: string): string {
  return /[{}",:]/.test(name) ? quoted(name) : name;
}

/** Without an exponent. */
export function numberText(value: number): string {
  const [mantissa = "", exponent] = `${value}`.split("e");
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const digits = whole + fraction;
  // JavaScript writes an exponent only where the point is outside of the digits.
  const point = whole.length + Number(exponent);
  return point > 0
    ? sign + digits.padEnd(point, "0")
    : `${sign}0.${digits.padStart(digits.length - point, "0")}`;
}

/** A number as a whole number, and how many of its digits are after the point. */
export function decimalOf(value: number): { readonly whole: bigint; readonly places: number } {
  const [integer = "", fraction = ""] = numberText(value).split(".");
  return { whole: BigInt(integer + fraction), places: fraction.length };
}
