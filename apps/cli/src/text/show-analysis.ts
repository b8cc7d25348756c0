import type { TableAnalysis } from "@decern/table";
import { plural } from "./text.js";

/** More of a kind are counted. */
const mostShown = 20;

/** What an analysis found, for people: errors first. */
export function showAnalysis(analysis: TableAnalysis): readonly string[] {
  const { overlaps, gaps, masked, duplicates, unreachable, mergeable, undecided } = analysis;
  const errors = overlaps.filter(({ isError }) => isError);
  return [
    ...some(errors, "overlap", ({ rules, witness, now }) => {
      const when = now === undefined ? "" : ` at ${now}`;
      return `error: rows ${quoted(rules)} overlap, and the hit policy allows one: both match ${json(witness)}${when}`;
    }),
    ...some(gaps, "gap", ({ box, witness, now }) => {
      const when = now === undefined ? "" : ` at ${now}`;
      return `gap: no row for ${box.join(" | ")}; for example ${json(witness)}${when}`;
    }),
    ...some(masked, "masked row", ({ rule, by }) =>
      by.length === 0
        ? `masked: no input matches row "${rule}"`
        : `masked: row "${rule}" never decides; before it ${by.length === 1 ? "comes row" : "come rows"} ${quoted(by)}`,
    ),
    ...some(
      duplicates,
      "group of duplicates",
      ({ rules }) => `duplicates: rows ${quoted(rules)} are the same`,
    ),
    ...some(
      unreachable,
      "unreachable output",
      ({ path, value }) => `unreachable: no row returns ${json(value)} as ${path}`,
    ),
    ...some(mergeable, "group of rows that could be one", ({ rules, path, cell }) =>
      path === undefined
        ? `mergeable: rows ${quoted(rules)} could be one`
        : `mergeable: rows ${quoted(rules)} could be one, with ${json(cell)} in ${path}`,
    ),
    ...some(undecided, "undecided part", ({ part, rules, message }) => {
      const about = rules === undefined ? "" : ` of rows ${quoted(rules)}`;
      return `not decided: ${part}${about}: ${message}`;
    }),
  ];
}

/** The first of a kind as lines; the others are counted. */
export function some<Item>(
  items: readonly Item[],
  noun: string,
  show: (item: Item) => string,
): readonly string[] {
  const lines = items.slice(0, mostShown).map(show);
  const others = items.length - lines.length;
  return others === 0 ? lines : [...lines, `… and ${plural(others, `more ${noun}`)}`];
}

export function quoted(rules: readonly string[]): string {
  const shown = rules.slice(0, 10).map((id) => `"${id}"`);
  return `${shown.join(", ")}${rules.length > shown.length ? ` and ${rules.length - shown.length} more` : ""}`;
}

export function json(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
