import type { TableDocument } from "@decern/table/browser";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { cellAt, GridFrame } from "./grid-frame.js";
import { GridRow, type GridRows } from "./grid-row.js";
import { type CellPlace, mostPrinted, placeAfter, useDrawnRows, useGridFocus } from "./grid-window.js";

interface TableGridProps extends GridRows {
  /** The ids of two rows that are joined, because they overlap. */
  readonly joined: readonly string[];
  /** Goes to a row by its place among all that the grid shows. */
  readonly goToRef: RefObject<((row: number) => void) | null>;
}

/** The rows of a table as a grid, of which only what is seen is drawn; then its gaps, or its default. */
export function TableGrid(props: TableGridProps) {
  const { document, columns, marked, gaps, joined, goToRef } = props;
  const { rules } = document;
  const scroller = useRef<HTMLDivElement>(null);
  const count = rules.length + gaps.length + (document.default === undefined ? 0 : 1);
  const { isLong, isPrinted, drawn, height, rowHeight } = useDrawnRows(scroller, count);
  const { active, goTo, reveal } = useGridFocus(scroller, isLong, rowHeight);
  goToRef.current = (row) => goTo({ row, column: 0 });
  const [decider] = marked?.decides ?? [];
  useEffect(() => {
    // A user who is in the grid stays there.
    if (decider === undefined || scroller.current?.contains(globalThis.document.activeElement) === true)
      return;
    reveal(rowOf(document, gaps.length, decider));
  }, [decider]);
  // What is not drawn cannot have the keyboard.
  const isDrawn = active.row >= drawn.from && active.row < drawn.to;
  const focusable: CellPlace = isDrawn ? active : { row: drawn.from, column: 0 };
  const page = Math.max(1, Math.floor(height / rowHeight) - 2);
  const onKeyDown = (event: KeyboardEvent) => {
    const place = cellAt(event.target);
    const next = place && placeAfter(event, place, { rows: count, columns: columns.length, page });
    if (next === undefined) return;
    event.preventDefault();
    goTo(next);
  };
  const places = joined.map((id) => rules.findIndex((rule) => rule.id === id));
  return (
    <>
      <GridFrame
        label="Rows of the table"
        {...{ columns, count, drawn, isLong, scroller }}
        grid={{ onKeyDown }}
      >
        {(row) => (
          <GridRow
            key={row}
            {...props}
            row={row}
            focused={focusable.row === row ? focusable.column : undefined}
            joint={jointOf(row, places)}
          />
        )}
      </GridFrame>
      {isPrinted && count > mostPrinted ? (
        <p class="on-paper">
          The first {mostPrinted.toLocaleString("en")} of {count.toLocaleString("en")} rows.
        </p>
      ) : null}
    </>
  );
}

/** The place of a row in the grid: the default is the last. */
export function rowOf({ rules }: TableDocument, gaps: number, id: string): number {
  const row = rules.findIndex((rule) => rule.id === id);
  return row < 0 ? rules.length + gaps : row;
}

/** Where a row is on the line that joins two. */
function jointOf(row: number, places: readonly number[]): string {
  const first = Math.min(...places);
  const last = Math.max(...places);
  if (places.length !== 2 || row < first || row > last) return "";
  return row === first ? " joint first" : row === last ? " joint last" : " joint";
}
