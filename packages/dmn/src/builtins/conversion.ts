import { unquoted } from "../syntax/literal-text.js";
import { compare } from "../values/compare.js";
import { parseDuration } from "../values/durations.js";
import type { Run } from "../values/run.js";
import { FeelDate, FeelDateTime, FeelTime, parseTemporal } from "../values/temporal.js";
import { valueText } from "../values/text.js";
import { FeelRange, type FeelValue } from "../values/value.js";
import { builtIn, overload } from "./define.js";

function numberOf(text: string, grouping: string | null, decimal: string | null): number | undefined {
  if (grouping !== null && ![" ", ",", "."].includes(grouping)) return undefined;
  if (decimal !== null && decimal !== "." && decimal !== ",") return undefined;
  if (grouping !== null && grouping === decimal) return undefined;
  const ungrouped = grouping === null ? text : text.replaceAll(grouping, "");
  const plain = decimal === null || decimal === "." ? ungrouped : ungrouped.replace(decimal, ".");
  if (decimal === "," && ungrouped.includes(".")) return undefined;
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** A text such as `[1..3]`, whose ends are literals. */
function rangeOf(text: string, run: Run): FeelRange | undefined {
  const [, open, inner = "", close] = /^\s*([[(\]])(.*)([\])[])\s*$/s.exec(text) ?? [];
  const at = placeOfDots(inner);
  if (at === undefined || open === undefined) return undefined;
  const start = endOf(inner.slice(0, at).trim());
  const end = endOf(inner.slice(at + 2).trim());
  if (start === undefined || end === undefined || (start === null && end === null)) return undefined;
  const [startIncluded, endIncluded] = [open === "[", close === "]"];
  // What is open without limit has no end to include.
  if ((start === null && startIncluded) || (end === null && endIncluded)) return undefined;
  if (start !== null && end !== null) {
    const order = compare(start, end, run);
    if (order === undefined || order > 0) return undefined;
  }
  return new FeelRange(start ?? undefined, startIncluded, end ?? undefined, endIncluded);
}

/** Where `..` is, outside of texts. */
function placeOfDots(text: string): number | undefined {
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|\.\./gs)) {
    if (match[0] === "..") return match.index;
  }
  return undefined;
}

/** @returns null for no limit, undefined for what is not a literal */
function endOf(text: string): FeelValue | undefined {
  if (text === "" || text === "null") return null;
  if (/^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) return numberOf(text, null, null);
  const [, call, literal] = /^(@|[a-z ]+\()?\s*("(?:[^"\\]|\\.)*")\s*\)?$/s.exec(text) ?? [];
  if (literal === undefined) return undefined;
  const content = unquoted(literal);
  if (call === undefined) return text.endsWith(")") ? undefined : content;
  switch (call.replace("(", "").trim()) {
    case "@":
      return parseTemporal(content);
    case "date":
      return FeelDate.parse(content);
    case "time":
      return FeelTime.parse(content);
    case "date and time":
      return FeelDateTime.parse(content);
    case "duration":
      return parseDuration(content);
    default:
      return undefined;
  }
}

export const conversionFunctions = [
  builtIn(
    "number",
    "number",
    overload(
      [
        ["from", "string"],
        ["grouping separator", "string?"],
        ["decimal separator", "string?"],
      ],
      ([from, grouping, decimal]) => numberOf(from, grouping, decimal),
    ),
    overload([["from", "number"]], ([from]) => from),
  ),
  builtIn(
    "string",
    "string",
    overload([["from", "any"]], ([from], run) => valueText(from, run)),
  ),
  builtIn(
    "range",
    "range",
    overload([["from", "string"]], ([from], run) => rangeOf(run.text(from), run)),
  ),
  builtIn(
    "not",
    "boolean",
    overload([["negand", "boolean"]], ([negand]) => !negand),
  ),
];
