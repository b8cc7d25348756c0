import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { DraftRow } from "../draft/draft.js";
import type { GridColumn } from "../table/columns.js";
import { GridFrame } from "../table/grid-frame.js";
import { type CellPlace, useDrawnRows, useGridFocus } from "../table/grid-window.js";
import { EditRow } from "./edit-row.js";
import { EditToolbar } from "./edit-toolbar.js";
import { rowsOf } from "./selection.js";
import type { EditedDraft } from "./use-draft.js";
import { useGridEdits } from "./use-grid-edits.js";

interface EditGridProps extends EditedDraft {
  /** One for each value of a row. */
  readonly columns: readonly GridColumn[];
  /** What is wrong with cells, by row and column with a blank between them. */
  readonly problems: ReadonlyMap<string, string>;
  /** Says what is wrong with a cell of a row, if something is. */
  readonly check: (row: DraftRow, column: number) => Promise<string | undefined>;
  /** Shows a message, which screen readers read too. */
  readonly onSay: (text: string) => void;
  /** Goes to a cell. */
  readonly goToRef: RefObject<((place: CellPlace) => void) | null>;
}

/** The rows of a draft, with the keys of a spreadsheet. Of many rows, only those are drawn that are seen. */
export function EditGrid(props: EditGridProps) {
  const { draft, columns, problems, check, goToRef } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = rowsOf(draft);
  const count = rows.length;
  const { isLong, drawn, height, rowHeight } = useDrawnRows(scroller, count);
  const { active: wanted, goTo, hold } = useGridFocus(scroller, isLong, rowHeight);
  const active = { row: Math.min(wanted.row, Math.max(0, count - 1)), column: wanted.column };
  const page = Math.max(1, Math.floor(height / rowHeight) - 2);
  const edits = useGridEdits({ ...props, active, goTo, hold, page });
  goToRef.current = (place) => edits.select(place);
  // What is not drawn cannot have the keyboard.
  const focusRow = active.row >= drawn.from && active.row < drawn.to ? active.row : drawn.from;
  return (
    <>
      <EditToolbar
        {...props}
        span={edits.span}
        onRows={(next, row) => {
          props.onChange(next);
          edits.select({ row, column: Math.min(1, columns.length - 1) });
        }}
        onMove={edits.move}
      />
      <GridFrame
        label="Rows of the draft"
        {...{ columns, count, drawn, isLong, scroller }}
        grid={{ class: "grid edit-grid", "aria-multiselectable": true, ...edits.listeners }}
      >
        {(row) => {
          const one = rows[row];
          return one === undefined ? null : (
            <EditRow
              key={one.key}
              {...{ row, one, columns, problems, check, edits }}
              isDefault={row === draft.rows.length}
              active={focusRow === row ? active.column : undefined}
            />
          );
        }}
      </GridFrame>
    </>
  );
}
