import type { Column, ColumnType } from "../../src/cells/condition.js";
import type { References } from "../../src/cells/literals.js";

export function column(type: ColumnType, more: Partial<Column> = {}): Column {
  return { path: ["field"], type, isNullable: false, isInteger: false, ...more };
}

const known: Readonly<Record<string, ColumnType>> = {
  "profile.limit": "number",
  "profile.names.main": "text",
  "input.day": "date",
  "input.amount": "number",
};

export const references: References = {
  typeOf: (root, path) => known[[root, ...path].join(".")],
};
