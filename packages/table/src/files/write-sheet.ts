import { defaultId, type InputCell, type OutputCell, type TableDocument } from "../document/document.js";

export type SheetCell = string | number | boolean | undefined;

/** The lines of a table in a sheet or a CSV file, as `readSheetTable` reads them. */
export interface WrittenSheet {
  readonly rows: readonly (readonly SheetCell[])[];
  /** Index of the heading line. */
  readonly heading: number;
}

/**
 * Lays a table out in lines.
 *
 * @param outputMark - stands before the paths of outputs
 * @param types - a line for readers that says what each column holds
 */
export function layOut(
  { table, version, hitPolicy, inputs, outputs, rules, default: otherwise }: TableDocument,
  outputMark: "→ " | "out: ",
  types?: readonly string[],
): WrittenSheet {
  const columns = [...inputs, ...outputs];
  const priorities = [...inputs.map(() => undefined), ...outputs.map(({ priority }) => priority)];
  const extras = (["note", "from", "until"] as const).filter(
    (name) => name === "note" || rules.some((rule) => rule[name] !== undefined),
  );
  const rows: (readonly SheetCell[])[] = [
    ["table", table],
    ["version", version],
    ["hit policy", hitPolicy],
  ];
  if (columns.some(({ label }) => label !== undefined))
    rows.push(["label", ...columns.map(({ label }) => freeText(label))]);
  if (priorities.some((priority) => priority !== undefined))
    rows.push([
      "priority",
      ...priorities.map((priority) => priority?.map((value) => JSON.stringify(value)).join(", ")),
    ]);
  if (types !== undefined) rows.push(["type", ...types]);
  const heading = rows.length;
  rows.push([
    "rule",
    ...inputs.map(({ path }) =>
      /^(?:note|from|until|in:.*|out:.*|→.*)$/isu.test(path) ? `in: ${path}` : path,
    ),
    ...outputs.map(({ path }) => outputMark + path),
    ...extras,
  ]);
  for (const rule of rules)
    rows.push([
      rule.id,
      ...rule.if.map(cellOf),
      ...rule.then.map(cellOf),
      ...extras.map((name) => (name === "note" ? freeText(rule.note) : rule[name])),
    ]);
  if (otherwise !== undefined)
    rows.push([defaultId, ...inputs.map(() => undefined), ...otherwise.map(cellOf)]);
  return { rows, heading };
}

function cellOf(cell: InputCell | OutputCell): SheetCell {
  if (cell === null) return "null";
  return cell === "" ? undefined : cell;
}

/** Text that a spreadsheet would take for a formula gets a blank, which is trimmed when it is read. */
function freeText(text: string | undefined): string | undefined {
  return text !== undefined && /^[=+@-]/.test(text) ? ` ${text}` : text;
}

/** CSV (RFC 4180) in UTF-8, with a byte order mark, which Excel needs. */
export function writeCsv(document: TableDocument, delimiter: "," | ";" | "\t" = ","): Uint8Array {
  const { rows, heading } = layOut(document, "out: ");
  const width = rows[heading]?.length ?? 0;
  const lines = rows.map((row, index) => {
    const cells = index < heading ? row : Array.from({ length: width }, (_, column) => row[column]);
    return cells.map((cell) => field(cell, delimiter)).join(delimiter);
  });
  return new TextEncoder().encode(`\u{feff}${lines.join("\r\n")}\r\n`);
}

function field(cell: SheetCell, delimiter: string): string {
  if (cell === undefined) return "";
  const text = String(cell);
  const isPlain = text === text.trim() && !/["\r\n]/.test(text) && !text.includes(delimiter);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
