import type { MatrixCell, ReplayExample } from "../../report/replay-report.js";
import { changes } from "../changes.js";
import { instant } from "../figures.js";
import { clip, indentedJson } from "../visible.js";
import { code, fenced, table } from "./markdown-text.js";

const mostChanges = 12;
const longestInput = 2_000;

/** The examples of a cell: what differs in a table, and the input. */
export function examplesOf({ examples }: MatrixCell): string {
  return examples.map(one).join("\n\n");
}

function one(example: ReplayExample): string {
  const { recordId, recordedAt, caller, before, after, input, masked } = example;
  const found = changes(example);
  const rows = found
    .slice(0, mostChanges)
    .map(({ place, before: was, after: is }) => [code(place), code(was), code(is)]);
  const more = found.length > mostChanges ? [[`and ${found.length - mostChanges} more`, "", ""]] : [];
  const hasReason = (before.explanation ?? "") !== "" || (after.explanation ?? "") !== "";
  const why = hasReason ? [["because", because(before.explanation), because(after.explanation)]] : [];
  return [
    [code(recordId), instant(recordedAt), ...(caller === undefined ? [] : [code(caller)])].join(", "),
    table(["", "Before", "After"], ["left", "left", "left"], [...rows, ...more, ...why]),
    ...(input === undefined ? [] : [fenced(clip(indentedJson(input), longestInput), "json")]),
    ...(masked.length === 0
      ? []
      : [
          `Masked: ${masked
            .slice(0, 10)
            .map((pointer) => code(pointer))
            .join(", ")}`,
        ]),
  ].join("\n\n");
}

function because(explanation: string | undefined): string {
  return explanation === undefined || explanation === "" ? "" : code(explanation, 400);
}
