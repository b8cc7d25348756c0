import { type Draft, type Span, withCells } from "../draft/draft.js";
import type { CellPlace } from "../table/grid-window.js";
import type { Leave } from "./edit-cell.js";

/** The cells that are selected. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The cells between two, or one cell. */
export function rangeOf(active: CellPlace, anchor: CellPlace = active): Range {
  return {
    top: Math.min(active.row, anchor.row),
    bottom: Math.max(active.row, anchor.row),
    left: Math.min(active.column, anchor.column),
    right: Math.max(active.column, anchor.column),
  };
}

export function isIn({ top, bottom, left, right }: Range, row: number, column: number): boolean {
  return row >= top && row <= bottom && column >= left && column <= right;
}

/** The rows of a selection, without the default where it has others too. */
export function spanOf({ top, bottom }: Range, { rows }: Draft): Span {
  return { row: top, count: Math.max(1, Math.min(bottom, rows.length - 1) - top + 1) };
}

/** Writes cells where they all are rows of the draft. */
export function withBlock(draft: Draft, { top, left }: Range, cells: readonly (readonly string[])[]): Draft {
  const { rows } = draft;
  const last = cells.at(-1);
  if (top + cells.length <= rows.length || last === undefined || cells.length === 1)
    return withCells(draft, { row: top, column: left, cells });
  // The last one is the default.
  const above = withCells(draft, { row: top, column: left, cells: cells.slice(0, -1) });
  return withCells(above, { row: rows.length, column: left, cells: [last] });
}

/** Where the keyboard goes from a cell that was edited. */
export function placeAfterEdit(
  { row, column }: CellPlace,
  leave: Leave,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): CellPlace {
  if (leave === "up") return { row: Math.max(0, row - 1), column };
  if (leave === "down") return { row: Math.min(rows - 1, row + 1), column };
  const at = row * columns + column + (leave === "right" ? 1 : leave === "left" ? -1 : 0);
  const within = Math.max(0, Math.min(rows * columns - 1, at));
  return { row: Math.floor(within / columns), column: within % columns };
}

/** What a key does to a grid that is edited, if it does not go to another cell. */
export type GridAction = "undo" | "redo" | "up" | "down" | "clear" | "all" | "leave" | "edit";

export function actionOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): GridAction | undefined {
  if (ctrlKey || metaKey) {
    if (altKey) return undefined;
    const actions: Readonly<Record<string, GridAction>> = {
      z: shiftKey ? "redo" : "undo",
      y: "redo",
      a: "all",
    };
    const name = key.toLowerCase();
    return Object.hasOwn(actions, name) ? actions[name] : undefined;
  }
  if (altKey) return key === "ArrowUp" ? "up" : key === "ArrowDown" ? "down" : undefined;
  const actions: Readonly<Record<string, GridAction>> = {
    Delete: "clear",
    Backspace: "clear",
    Escape: "leave",
    Enter: "edit",
    F2: "edit",
    Process: "edit",
    Dead: "edit",
  };
  if (Object.hasOwn(actions, key)) return actions[key];
  return key.length === 1 ? "edit" : undefined;
}

export function rowsText(count: number): string {
  return count === 1 ? "1 row" : `${count.toLocaleString("en")} rows`;
}

export function cellsText({ top, bottom, left, right }: Range): string {
  const count = (bottom - top + 1) * (right - left + 1);
  return count === 1 ? "1 cell" : `${count.toLocaleString("en")} cells`;
}
