import type { FileCell, FileSheet } from "./cells.js";

/** Lines before the heading whose second cell has the value, and the member of the document that it is. */
export const keys: ReadonlyMap<string, string> = new Map([
  ["table", "table"],
  ["version", "version"],
  ["hit policy", "hitPolicy"],
]);

/** Lines before the heading that have a cell for each column. What `type` has is for readers. */
export const aligned: ReadonlySet<string> = new Set(["label", "priority", "type"]);

/** Whether a sheet claims to be a table; others are notes. */
export function isTable({ rows }: FileSheet): boolean {
  return rows.some(({ cells }) => {
    const key = keyOf(cells[0]);
    return key === "table" || key === "rule";
  });
}

/** What a line begins with. */
export function keyOf(cell: FileCell | undefined): string {
  return typeof cell === "string" ? cell.trim().toLowerCase() : "";
}

export function isBlank(cell: FileCell | undefined): boolean {
  return cell === undefined || (typeof cell === "string" && cell.trim() === "");
}

/** Such as `"air", "post"`, or a number. */
export function prioritiesOf(value: string | number | boolean): readonly unknown[] {
  if (typeof value !== "string") return [value];
  const items = value.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return items
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      try {
        return JSON.parse(item);
      } catch {
        return item;
      }
    });
}
