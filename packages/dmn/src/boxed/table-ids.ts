import type { Boxed } from "../model/model.js";

/** The id of a row. @param path - the element's name, and those of the context entries that the table is in */
export function rowId(path: string, row: number): string {
  return `${path}/${row + 1}`;
}

interface RowId {
  readonly id: string;
  readonly description: string | undefined;
}

/** The ids of the rows of all tables in an expression. */
export function tableRowIds(box: Boxed, path: string): readonly RowId[] {
  switch (box.kind) {
    case "table":
      return box.rules.map(({ description }, row) => ({ id: rowId(path, row), description }));
    case "context":
      return box.entries.flatMap(({ variable, value }) =>
        tableRowIds(value, variable === undefined ? path : `${path}/${variable.name}`),
      );
    case "list":
      return box.items.flatMap((item) => tableRowIds(item, path));
    case "relation":
      return box.rows.flat().flatMap((cell) => tableRowIds(cell, path));
    case "invocation":
      return [box.callee, ...box.bindings.map(({ value }) => value)].flatMap((part) =>
        tableRowIds(part, path),
      );
    case "conditional":
      return [box.condition, box.then, box.otherwise].flatMap((part) => tableRowIds(part, path));
    case "filter":
      return [box.in, box.match].flatMap((part) => tableRowIds(part, path));
    case "for":
    case "some":
    case "every":
      return [box.in, box.body].flatMap((part) => tableRowIds(part, path));
    case "function":
      return box.body === undefined ? [] : tableRowIds(box.body, path);
    default:
      return [];
  }
}
