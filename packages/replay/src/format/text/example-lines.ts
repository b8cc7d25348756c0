import type { ReplayExample } from "../../report/replay-report.js";
import { changes } from "../changes.js";
import { instant } from "../figures.js";
import { clip, inlineJson, visible } from "../visible.js";
import { columns, padEnd, wrap } from "./columns.js";
import type { Terminal } from "./terminal.js";

/** Most places of a result, and most characters of an input. */
const mostChanges = 8;
const longestInput = 480;
const longestValue = 160;
const indent = "    ";

/** One record that changed: where, why, and the input. */
export function exampleLines(example: ReplayExample, terminal: Terminal): readonly string[] {
  const { recordId, recordedAt, caller, before, after, input, masked } = example;
  const head = [recordId, instant(recordedAt), caller].filter((part) => part !== undefined).map(visible);
  const found = changes(example);
  const shown = found.slice(0, mostChanges).map(({ place, before: was, after: is }) => ({
    place,
    text: `${clip(was, longestValue)} → ${clip(is, longestValue)}`,
  }));
  const rows = [
    ...shown,
    ...(found.length > mostChanges
      ? [{ place: "", text: `and ${found.length - mostChanges} more places` }]
      : []),
    ...because("was", before.explanation),
    ...because("now", after.explanation),
    ...(input === undefined ? [] : [{ place: "input", text: clip(inlineJson(input), longestInput) }]),
    ...(masked.length === 0 ? [] : [{ place: "masked", text: visible(masked.join(", ")) }]),
  ];
  const nameWidth = Math.min(24, Math.max(...rows.map(({ place }) => columns(place)), 0)) + 2;
  return [
    ...wrap(head.join("  "), terminal.width - 2).map((line) => `  ${terminal.dim(line)}`),
    ...rows.flatMap(({ place, text }) => {
      const isWide = columns(place) >= nameWidth;
      const lines = wrapJson(text, Math.max(20, terminal.width - indent.length - nameWidth));
      const first = isWide ? wrap(place, terminal.width - indent.length).map((line) => indent + line) : [];
      return [
        ...first,
        ...lines.map((line, index) => indent + padEnd(index === 0 && !isWide ? place : "", nameWidth) + line),
      ];
    }),
  ];
}

/** Keeps the name of a member and its value on one line. No text here has a NUL: it would have been made visible. */
function wrapJson(text: string, width: number): readonly string[] {
  return wrap(text.replaceAll('": ', '":\u0000'), width).map((line) => line.replaceAll("\u0000", " "));
}

function because(name: string, explanation: string | undefined): readonly { place: string; text: string }[] {
  return explanation === undefined || explanation === ""
    ? []
    : [{ place: name, text: clip(visible(explanation), longestInput) }];
}
