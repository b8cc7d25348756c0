import type { Boxed, TableBox } from "../model/model.js";

/** A decision table in an expression. */
export interface NestedTable {
  readonly box: TableBox;
  /** The element's name, and those of the context entries that the table is in. */
  readonly path: string;
}

/** All tables in an expression. @param path - of the expression */
export function tablesIn(box: Boxed, path: string): readonly NestedTable[] {
  const inAll = (parts: readonly Boxed[]) => parts.flatMap((part) => tablesIn(part, path));
  switch (box.kind) {
    case "table":
      return [{ box, path }];
    case "context":
      return box.entries.flatMap(({ variable, value }) =>
        tablesIn(value, variable === undefined ? path : `${path}/${variable.name}`),
      );
    case "list":
      return inAll(box.items);
    case "relation":
      return inAll(box.rows.flat());
    case "invocation":
      return inAll([box.callee, ...box.bindings.map(({ value }) => value)]);
    case "conditional":
      return inAll([box.condition, box.then, box.otherwise]);
    case "filter":
      return inAll([box.in, box.match]);
    case "for":
    case "some":
    case "every":
      return inAll([box.in, box.body]);
    case "function":
      return box.body === undefined ? [] : inAll([box.body]);
    default:
      return [];
  }
}

/** The id of a row. @param path - of the table */
export function rowId(path: string, row: number): string {
  return `${path}/${row + 1}`;
}
