import { useState } from "preact/hooks";
import { type Draft, type DraftRow, type Span, withCells } from "../draft/draft.js";
import type { CellPlace } from "../table/grid-window.js";
import type { Leave } from "./edit-cell.js";

/** The cells that are selected. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The cell of a grid that has the keyboard, and how it moves. */
export interface GridKeyboard {
  readonly active: CellPlace;
  readonly goTo: (place: CellPlace) => void;
  /** Takes note of the cell that has the keyboard already. */
  readonly hold: (place: CellPlace) => void;
}

export type Selection = ReturnType<typeof useSelection>;

/** Selects the cells between the one that has the keyboard and the one where the selection began. */
export function useSelection({ active, goTo, hold }: GridKeyboard) {
  const [anchor, setAnchor] = useState<CellPlace>();
  const isActive = ({ row, column }: CellPlace) => row === active.row && column === active.column;
  const select = (place: CellPlace, from?: CellPlace) => {
    setAnchor(from);
    goTo(place);
  };
  const extend = (place: CellPlace) => select(place, anchor ?? active);
  return {
    range: rangeOf(active, anchor),
    select,
    extend,
    reach: (place: CellPlace) => {
      if (!isActive(place)) hold(place);
    },
    press: (isExtending: boolean) => setAnchor(isExtending ? (anchor ?? active) : undefined),
    drag: (place: CellPlace) => {
      if (!isActive(place)) extend(place);
    },
    /** Goes with rows that are moved. */
    follow: (by: number) => {
      hold({ ...active, row: active.row + by });
      if (anchor !== undefined) setAnchor({ ...anchor, row: anchor.row + by });
    },
  };
}

/** The cells between two, or one cell. */
function rangeOf(active: CellPlace, anchor: CellPlace = active): Range {
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

/** The rows of a draft, and its default below them. */
export function rowsOf({ rows, otherwise }: Draft): readonly DraftRow[] {
  return otherwise === undefined ? rows : [...rows, otherwise];
}

export function cellsIn(draft: Draft, { top, bottom, left, right }: Range): readonly (readonly string[])[] {
  return rowsOf(draft)
    .slice(top, bottom + 1)
    .map(({ values }) => values.slice(left, right + 1));
}

/** Writes the same text into every cell of a range. */
export function withText(draft: Draft, range: Range, text: string): Draft {
  const { top: row, left: column } = range;
  const { rows } = draft;
  const cells = cellsIn(draft, range).map((one) => one.map(() => text));
  const last = cells.at(-1);
  if (row + cells.length <= rows.length || last === undefined || cells.length === 1)
    return withCells(draft, { row, column, cells });
  // The last one is the default.
  const above = withCells(draft, { row, column, cells: cells.slice(0, -1) });
  return withCells(above, { row: rows.length, column, cells: [last] });
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

export function rowsText(count: number): string {
  return count === 1 ? "1 row" : `${count.toLocaleString("en")} rows`;
}

export function cellsText({ top, bottom, left, right }: Range): string {
  const count = (bottom - top + 1) * (right - left + 1);
  return count === 1 ? "1 cell" : `${count.toLocaleString("en")} cells`;
}
