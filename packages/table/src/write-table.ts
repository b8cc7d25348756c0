import { DecernError } from "@decern/core";
import type { TableDocument } from "./document/document.js";
import { writeCsv, writeXlsx } from "./files/write-xlsx.js";

export type TableForm = "json" | "csv" | "xlsx";

export interface WriteTableOptions {
  /** Of CSV. @default "," */
  readonly delimiter?: "," | ";" | "\t" | undefined;
}

/**
 * Writes a table as JSON, CSV or XLSX. Read again, it is the same table, with the same hash.
 *
 * @returns the file's bytes; of CSV with a byte order mark, which Excel needs
 */
export function writeTable(
  document: TableDocument,
  form: TableForm,
  { delimiter }: WriteTableOptions = {},
): Uint8Array {
  switch (form) {
    case "json":
      return new TextEncoder().encode(jsonText(document));
    case "csv":
      return writeCsv(document, delimiter);
    case "xlsx":
      return writeXlsx(document);
    default:
      throw new DecernError("INVALID_OPTIONS", {
        detail: `no form ${JSON.stringify(form)}; there are json, csv, xlsx`,
      });
  }
}

/** A row a line, so that a change of a row is a change of a line. */
function jsonText({ rules, default: otherwise, ...head }: TableDocument): string {
  const members = [
    ...Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    `"rules": [${rules.map((rule) => `\n    ${JSON.stringify(rule)}`).join(",")}\n  ]`,
    ...(otherwise === undefined ? [] : [`"default": ${JSON.stringify(otherwise)}`]),
  ];
  return `{\n  ${members.join(",\n  ")}\n}\n`;
}
