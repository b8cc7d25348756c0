import { DecernError } from "@decern/core";
import { shapeOf, type TableContract } from "./contract/contract.js";
import type { Field } from "./contract/fields.js";
import { type HitPolicy, isListPolicy, type TableDocument } from "./document/document.js";
import { type ColumnHint, writeCsv, writeXlsx } from "./files/write-xlsx.js";

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

export interface NewTableOptions {
  /** @default "U", or "C" where the output schema is one of a list */
  readonly hitPolicy?: HitPolicy | undefined;
}

/**
 * Writes a table without rows for a contract: a column for each value of its input and output. A workbook says what each column
 * holds, and has a drop-down for each enum.
 */
export function newTable(
  contract: TableContract,
  form: TableForm,
  { hitPolicy }: NewTableOptions = {},
): Uint8Array {
  const shape = shapeOf(contract);
  const policy = hitPolicy ?? (shape.hasList ? "C" : "U");
  const document: TableDocument = {
    table: contract.id,
    version: "1.0.0",
    hitPolicy: policy,
    inputs: shape.inputPaths.map((path) => ({ path })),
    outputs: (isListPolicy(policy) === shape.hasList ? shape.outputPaths : []).map((path) => ({ path })),
    rules: [],
  };
  if (form !== "xlsx") return writeTable(document, form);
  const fields = [
    ...document.inputs.map(({ path }) => shape.inputAt(path.split("."))),
    ...document.outputs.map(({ path }) => shape.outputAt(policy, path.split("."))),
  ];
  return writeXlsx(
    document,
    fields.map((field) => (typeof field === "string" ? { type: "", isText: false } : hintOf(field))),
  );
}

const typeTexts = {
  number: "number",
  text: "text",
  boolean: "true or false",
  date: "date, as 2026-03-31",
  "date-time": "date-time, as 2026-03-31T08:00:00Z",
  duration: "duration, as P3D or PT1H",
} as const;

function hintOf({ type, members, isInteger, minimum, maximum, multipleOf, isNullable }: Field): ColumnHint {
  const choices = members ?? (type === "boolean" ? [true, false] : undefined);
  const details = [
    choices === undefined && isInteger ? "whole number" : typeTexts[type],
    ...(members === undefined ? [] : [members.slice(0, 20).join(", ")]),
    ...(minimum === undefined || minimum.value === Number.MIN_SAFE_INTEGER
      ? []
      : [`${minimum.isClosed ? ">=" : ">"} ${minimum.value}`]),
    ...(maximum === undefined || maximum.value === Number.MAX_SAFE_INTEGER
      ? []
      : [`${maximum.isClosed ? "<=" : "<"} ${maximum.value}`]),
    ...(multipleOf === undefined ? [] : [`multiple of ${multipleOf}`]),
    ...(isNullable ? ["optional"] : []),
  ];
  return {
    type: details.join("; "),
    isText: type !== "number" && type !== "boolean",
    ...(choices === undefined ? {} : { choices: choices.map(String) }),
  };
}
