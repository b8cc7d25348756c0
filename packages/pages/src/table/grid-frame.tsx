import type { ComponentChildren, RefObject, TableHTMLAttributes } from "preact";
import { KeyName } from "../parts/controls.js";
import type { GridColumn } from "./columns.js";
import type { CellPlace, Drawn } from "./grid-window.js";

/** Browsers forget what a table is made of once it is laid out as something else. */
export const roles = {
  grid: { role: "grid" },
  rows: { role: "rowgroup" },
  row: { role: "row" },
  columnHeader: { role: "columnheader" },
  rowHeader: { role: "rowheader" },
  cell: { role: "gridcell" },
} as const;

interface GridFrameProps {
  /** The name of the grid for screen readers. */
  readonly label: string;
  readonly columns: readonly GridColumn[];
  /** How many rows there are, drawn or not. */
  readonly count: number;
  readonly drawn: Drawn;
  /** Whether it scrolls by itself. */
  readonly isLong: boolean;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** What else the grid has: listeners, a class. */
  readonly grid: TableHTMLAttributes;
  /** Draws a row. */
  readonly children: (row: number) => ComponentChildren;
}

/** A grid with its head, and the rows that are drawn of all. */
export function GridFrame(props: GridFrameProps) {
  const { label, columns, count, drawn, isLong, scroller, grid, children } = props;
  return (
    <div class={isLong ? "grid-scroller long" : "grid-scroller"} ref={scroller}>
      <table
        class="grid"
        {...roles.grid}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        style={tracksOf(columns)}
        {...grid}
      >
        <thead {...roles.rows}>
          <tr {...roles.row} aria-rowindex={1} class="grid-row grid-head">
            {columns.map((column, at) => (
              <HeadCell key={`${column.kind} ${column.place}`} column={column} at={at} />
            ))}
          </tr>
        </thead>
        <tbody {...roles.rows} style={{ paddingTop: `${drawn.above}px`, paddingBottom: `${drawn.below}px` }}>
          {Array.from({ length: drawn.to - drawn.from }, (_, index) => children(drawn.from + index))}
        </tbody>
      </table>
    </div>
  );
}

/** How wide the columns are: at least as their text needs, and in proportion to it. */
function tracksOf(columns: readonly GridColumn[]) {
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

function HeadCell({
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
