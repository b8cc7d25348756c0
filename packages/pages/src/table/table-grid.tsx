import type { TableDocument } from "@decern/table/browser";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { KeyName } from "../parts/controls.js";
import type { GridColumn } from "./columns.js";
import { GridRow, type GridRows } from "./grid-row.js";
import { type CellPlace, mostPrinted, placeAfter, useDrawnRows, useGridFocus } from "./grid-window.js";

interface TableGridProps extends GridRows {
  /** The ids of two rows that are joined, because they overlap. */
  readonly joined: readonly string[];
  /** Goes to a row by its place among all that the grid shows. */
  readonly goToRef: RefObject<((row: number) => void) | null>;
}

// Browsers forget what a table is made of once it is laid out as something else.
const roles = {
  grid: { role: "grid" },
  rows: { role: "rowgroup" },
  row: { role: "row" },
  columnHeader: { role: "columnheader" },
} as const;

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
  const drawnRows = Array.from({ length: drawn.to - drawn.from }, (_, index) => drawn.from + index);
  return (
    <>
      <div class={isLong ? "grid-scroller long" : "grid-scroller"} ref={scroller}>
        <table
          class="grid"
          {...roles.grid}
          aria-label="Rows of the table"
          aria-rowcount={count + 1}
          aria-colcount={columns.length}
          onKeyDown={onKeyDown}
          style={tracksOf(columns)}
        >
          <thead {...roles.rows}>
            <tr {...roles.row} aria-rowindex={1} class="grid-row grid-head">
              {columns.map((column, at) => (
                <HeadCell key={`${column.kind} ${column.place}`} column={column} at={at} />
              ))}
            </tr>
          </thead>
          <tbody
            {...roles.rows}
            style={{ paddingTop: `${drawn.above}px`, paddingBottom: `${drawn.below}px` }}
          >
            {drawnRows.map((row) => (
              <GridRow
                key={row}
                {...props}
                row={row}
                focused={focusable.row === row ? focusable.column : undefined}
                joint={jointOf(row, places)}
              />
            ))}
          </tbody>
        </table>
      </div>
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

/** How wide the columns are: at least as their text needs, and in proportion to it. */
export function tracksOf(columns: readonly GridColumn[]) {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const tracks = columns.map((column) => `minmax(${column.width}ch, ${column.width}fr)`).join(" ");
  return { "--tracks": tracks, "--width": `${width}ch`, "--lines": columns.length };
}

/** The cell that an element is, or is in. */
export function cellAt(target: EventTarget | null): CellPlace | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const column = target.closest<HTMLElement>("[data-column]")?.dataset["column"];
  const row = target.closest<HTMLElement>("[data-row]")?.dataset["row"];
  return column === undefined || row === undefined ? undefined : { row: Number(row), column: Number(column) };
}

/** Where a row is on the line that joins two. */
function jointOf(row: number, places: readonly number[]): string {
  const first = Math.min(...places);
  const last = Math.max(...places);
  if (places.length !== 2 || row < first || row > last) return "";
  return row === first ? " joint first" : row === last ? " joint last" : " joint";
}

export function HeadCell({
  column: { kind, label, path },
  at,
}: {
  readonly column: GridColumn;
  readonly at: number;
}) {
  return (
    <th scope="col" {...roles.columnHeader} aria-colindex={at + 1} class={`cell ${kind}`}>
      <span>
        {kind === "output" ? <span class="arrow">→&nbsp;</span> : null}
        {label}
      </span>
      <KeyName label={label} name={path} />
    </th>
  );
}
