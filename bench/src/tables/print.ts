import type { Table, Target } from "./table.js";

/** What is true of every table. */
export const legend =
  "Medians of alternating rounds. ± is half the distance between the quartiles; × and *more* are against the first row, in the same round. Day and machine hold until a table names others.";

/** A table as Markdown, columns aligned so that it reads well in a terminal too. */
export function printTable({ title, note, columns, rows, targets }: Table): string {
  const parts = [`### ${title}`, note, grid([columns, ...rows].map((row) => withSpread(row, columns)))];
  if (targets.length > 0) parts.push(printTargets(targets));
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** A row with each spread in the cell of the value before it. */
function withSpread(
  row: readonly (string | number)[],
  columns: readonly string[],
): readonly (string | number)[] {
  return row.flatMap((value, column) => {
    if (columns[column] === "±") return [];
    const spread = columns[column + 1] === "±" ? row[column + 1] : undefined;
    if (spread === undefined || spread === "") return [value];
    return [spread === "±" ? `${value} ±` : `${cell(value)} ±${String(spread).replace(" %", "%")}`];
  });
}

/** Targets as a Markdown table. */
function printTargets(targets: readonly Target[]): string {
  return grid([
    ["target", "limit", "measured", "met"],
    ...targets.map(({ what, limit, measured, met }) => [what, limit, measured, met ? "yes" : "NO"]),
  ]);
}

function cell(value: string | number): string {
  return typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 3 }) : value;
}

/** Rows as a Markdown table; the first one names the columns. */
export function grid(rows: readonly (readonly (string | number)[])[]): string {
  const lines = rows.map((row) => row.map(cell));
  const [head = []] = lines;
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map(
    (line) =>
      `| ${line.map((value, column) => (column === 0 ? value.padEnd(widths[column] ?? 0) : value.padStart(widths[column] ?? 0))).join(" | ")} |`,
  );
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [text[0], rule, ...text.slice(1)].join("\n");
}
