import { Matcher } from "../regex/matcher.js";
import { PatternError } from "../regex/pattern.js";
import type { Run } from "../values/run.js";
import type { FeelList } from "../values/value.js";
import { builtIn, overload } from "./define.js";

/** @param start - from 1, or from -1 at the end, in characters */
function substring(text: string, start: number, length: number | null): string | undefined {
  const points = [...text];
  const first = Math.trunc(start);
  if (first === 0 || Math.abs(first) > points.length) return first === 0 ? undefined : "";
  const from = first > 0 ? first - 1 : points.length + first;
  if (length === null) return points.slice(from).join("");
  return Math.trunc(length) < 1 ? undefined : points.slice(from, from + Math.trunc(length)).join("");
}

/** @returns undefined for what is not a regular expression, and for flags that XPath does not have */
function matcherOf(pattern: string, flags: string | null, run: Run): Matcher | undefined {
  try {
    run.tick(1 + (pattern.length >> 1));
    const matcher = new Matcher(pattern, flags ?? "");
    run.tick(matcher.size);
    return matcher;
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

function replaced(text: string, matcher: Matcher, replacement: string, isLiteral: boolean, run: Run) {
  // XPath has no replacement for nothing.
  if (matcher.find("", 0, run) !== undefined) return undefined;
  const parts = isLiteral ? [replacement] : replacementParts(replacement, matcher.groups);
  if (parts === undefined) return undefined;
  let result = "";
  let from = 0;
  for (let match = matcher.find(text, 0, run); match !== undefined; match = matcher.find(text, from, run)) {
    result += text.slice(from, match.start);
    const whole = text.slice(match.start, match.end);
    for (const part of parts) {
      result += typeof part === "string" ? part : part === 0 ? whole : (match.groups[part - 1] ?? "");
      run.tick();
      if (result.length > run.limits.text) run.textLength(result.length);
    }
    from = match.end > match.start ? match.end : match.end + 1;
  }
  return run.text(result + text.slice(from));
}

/** Texts, and the numbers of groups. @returns undefined for a `\` or `$` that stands alone */
function replacementParts(replacement: string, groups: number): readonly (string | number)[] | undefined {
  const parts: (string | number)[] = [];
  for (let at = 0; at < replacement.length; at += 1) {
    const character = replacement[at] ?? "";
    const next = replacement[at + 1] ?? "";
    if (character === "\\") {
      if (next !== "\\" && next !== "$") return undefined;
      parts.push(next);
      at += 1;
    } else if (character === "$") {
      const [digits] = /^\d+/.exec(replacement.slice(at + 1, at + 6)) ?? [];
      if (digits === undefined) return undefined;
      let length = digits.length;
      while (length > 1 && Number(digits.slice(0, length)) > groups) length -= 1;
      const group = Number(digits.slice(0, length));
      parts.push(group > groups ? "" : group);
      at += length;
    } else parts.push(character);
  }
  return parts;
}

function split(text: string, delimiter: Matcher, run: Run): FeelList | undefined {
  if (delimiter.find("", 0, run) !== undefined) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (
    let match = delimiter.find(text, 0, run);
    match !== undefined;
    match = delimiter.find(text, from, run)
  ) {
    parts.push(text.slice(from, match.start));
    from = match.end;
    if (parts.length > run.limits.list) run.listLength(parts.length);
  }
  return run.list([...parts, text.slice(from)]);
}

/** Where a text has another. The search may look at each character for each place. */
function placeOf(text: string, match: string, run: Run): number {
  run.tick(Math.ceil((text.length * match.length) / 1024));
  return text.indexOf(match);
}

const search = [
  ["string", "string"],
  ["match", "string"],
] as const;

export const stringFunctions = [
  builtIn(
    "substring",
    "string",
    overload(
      [
        ["string", "string"],
        ["start position", "number"],
        ["length", "number?"],
      ],
      ([text, start, length], run) => substring(run.text(text), start, length),
    ),
  ),
  builtIn(
    "string length",
    "number",
    overload([["string", "string"]], ([text], run) => [...run.text(text)].length),
  ),
  builtIn(
    "upper case",
    "string",
    overload([["string", "string"]], ([text], run) => run.text(text.toUpperCase())),
  ),
  builtIn(
    "lower case",
    "string",
    overload([["string", "string"]], ([text], run) => run.text(text.toLowerCase())),
  ),
  builtIn(
    "substring before",
    "string",
    overload(search, ([text, match], run) => text.slice(0, Math.max(0, placeOf(text, match, run)))),
  ),
  builtIn(
    "substring after",
    "string",
    overload(search, ([text, match], run) => {
      const at = placeOf(text, match, run);
      return at < 0 ? "" : text.slice(at + match.length);
    }),
  ),
  builtIn(
    "contains",
    "boolean",
    overload(search, ([text, match], run) => placeOf(text, match, run) >= 0),
  ),
  builtIn(
    "starts with",
    "boolean",
    overload(search, ([text, match], run) => run.text(text).startsWith(match)),
  ),
  builtIn(
    "ends with",
    "boolean",
    overload(search, ([text, match], run) => run.text(text).endsWith(match)),
  ),
  builtIn(
    "matches",
    "boolean",
    overload(
      [
        ["input", "string"],
        ["pattern", "string"],
        ["flags", "string?"],
      ],
      ([input, pattern, flags], run) => {
        const matcher = matcherOf(pattern, flags, run);
        return matcher === undefined ? undefined : matcher.find(input, 0, run) !== undefined;
      },
    ),
  ),
  builtIn(
    "replace",
    "string",
    overload(
      [
        ["input", "string"],
        ["pattern", "string"],
        ["replacement", "string"],
        ["flags", "string?"],
      ],
      ([input, pattern, replacement, flags], run) => {
        const matcher = matcherOf(pattern, flags, run);
        const isLiteral = flags?.includes("q") === true;
        return matcher === undefined ? undefined : replaced(input, matcher, replacement, isLiteral, run);
      },
    ),
  ),
  builtIn(
    "split",
    "list",
    overload(
      [
        ["string", "string"],
        ["delimiter", "string"],
      ],
      ([text, delimiter], run) => {
        const matcher = matcherOf(delimiter, "", run);
        return matcher === undefined ? undefined : split(text, matcher, run);
      },
    ),
  ),
  builtIn(
    "string join",
    "string",
    overload(
      [
        ["list", "list"],
        ["delimiter", "string?"],
      ],
      ([list, delimiter], run) => {
        const texts = list.filter((item) => item !== null);
        if (!texts.every((item) => typeof item === "string")) return undefined;
        const separator = delimiter ?? "";
        run.textLength(texts.reduce((length, text) => length + text.length + separator.length, 0));
        return texts.join(separator);
      },
    ),
  ),
];
