import { fieldKind } from "./field-kind.js";
import { readJson, readNumber } from "./reading.js";
import type { JsonObject } from "./values.js";

/** The items of a list, or why there are none. */
type TableReading = { readonly items: readonly unknown[] } | { readonly problem: string };

/**
 * Reads a list from JSON, or from CSV (RFC 4180) with a row of names, with commas, semicolons or tabs. A list of plain values
 * has one on each line. Cells become what the schema says; text that isn't such a value stays text, for the form to mark.
 *
 * @param items - the schema of an item
 */
export function readTable(text: string, items: JsonObject, root: JsonObject): TableReading {
  if (text.trim() === "") return { problem: "is empty" };
  if (/^\s*[[{]/.test(text)) {
    const reading = readJson(text);
    if ("problem" in reading) return reading;
    return Array.isArray(reading.value) ? { items: reading.value } : { problem: "must be a list" };
  }
  const kind = fieldKind(items, root);
  if (kind.kind !== "object") {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    return { items: lines.map((line) => cellValue(line.trim(), items, root)) };
  }
  const [names, ...rows] = cellsOf(text);
  if (names === undefined) return { problem: "is empty" };
  const schemas = new Map(kind.properties.map(({ name, schema }) => [name, schema]));
  const unknown = names.find((name) => !schemas.has(name.trim()));
  if (unknown !== undefined)
    return { problem: `has a column "${unknown}"; the fields are ${[...schemas.keys()].join(", ")}` };
  const wrong = rows.findIndex((row) => row.length !== names.length);
  if (wrong >= 0)
    return { problem: `line ${wrong + 2} has ${rows[wrong]?.length} cells instead of ${names.length}` };
  return {
    items: rows.map((row) =>
      Object.fromEntries(
        names.flatMap((name, index) => {
          const cell = row[index] ?? "";
          // An empty cell is a field that is left out.
          return cell === "" ? [] : [[name.trim(), cellValue(cell, schemas.get(name.trim()) ?? {}, root)]];
        }),
      ),
    ),
  };
}

function cellValue(cell: string, schema: JsonObject, root: JsonObject): unknown {
  const kind = fieldKind(schema, root);
  switch (kind.kind) {
    case "number": {
      const reading = readNumber(cell);
      return "value" in reading ? reading.value : cell;
    }
    case "boolean":
      return cell === "true" ? true : cell === "false" ? false : cell;
    case "string":
      return cell;
    case "enum":
      return kind.values.find((value) => String(value) === cell) ?? cell;
    default: {
      const reading = readJson(cell);
      return "value" in reading ? reading.value : cell;
    }
  }
}

/** The cells of each line that has any. */
function cellsOf(text: string): readonly (readonly string[])[] {
  const [first = ""] = text.split("\n", 1);
  const separator = ["\t", ";", ","].find((one) => first.includes(one)) ?? ",";
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = text[at] ?? "\n";
    if (quoted && at < text.length) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === separator || letter === "\n") {
      row.push(cell.replace(/\r$/, ""));
      cell = "";
      if (letter === separator) continue;
      if (row.some((one) => one !== "")) rows.push(row);
      row = [];
    } else cell += letter;
  }
  return rows;
}
