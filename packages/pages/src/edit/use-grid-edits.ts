import { useState } from "preact/hooks";
import { type Span, withCells, withMoved } from "../draft/draft.js";
import type { GridColumn } from "../table/columns.js";
import type { CellPlace } from "../table/grid-window.js";
import type { Leave } from "./edit-cell.js";
import { type GridCommands, listenersOf } from "./grid-events.js";
import {
  cellsIn,
  cellsText,
  type GridKeyboard,
  placeAfterEdit,
  type Range,
  rowsOf,
  rowsText,
  type Selection,
  spanOf,
  useSelection,
  withText,
} from "./selection.js";
import type { EditedDraft } from "./use-draft.js";

/** A cell that is edited. */
interface Editing extends CellPlace {
  /** What was typed to begin with. */
  readonly typed: string | undefined;
}

interface GridEditsOptions extends EditedDraft, GridKeyboard {
  readonly columns: readonly GridColumn[];
  readonly onSay: (text: string) => void;
  /** How many rows a page of the grid has. */
  readonly page: number;
}

export interface GridEdits {
  readonly range: Range;
  readonly editing: Editing | undefined;
  readonly span: Span;
  isFixed(place: CellPlace): boolean;
  select(place: CellPlace): void;
  move(by: -1 | 1): void;
  commit(place: CellPlace, text: string, leave: Leave): void;
  cancel(): void;
  /** What the grid listens to. */
  readonly listeners: ReturnType<typeof listenersOf>;
}

/** Selects and edits cells of a draft, as the keys, the mouse and the clipboard tell. */
export function useGridEdits(options: GridEditsOptions): GridEdits {
  const { draft, columns, active, goTo, onSay } = options;
  const size = { rows: rowsOf(draft).length, columns: columns.length, page: options.page };
  const selection = useSelection(options);
  const { range, select } = selection;
  const { write, move, paste } = changesOf(options, selection);
  const { edit, ...field } = useField(options, selection, size);
  const moveAndGo = (by: -1 | 1) => {
    move(by);
    goTo({ ...active, row: Math.max(0, Math.min(draft.rows.length - 1, active.row + by)) });
  };
  const actions: GridCommands["actions"] = {
    undo: options.onUndo,
    redo: options.onRedo,
    up: () => moveAndGo(-1),
    down: () => moveAndGo(1),
    clear: () => write(""),
    all: () => select({ row: size.rows - 1, column: size.columns - 1 }, { row: 0, column: 0 }),
    leave: () => select(active),
    edit: (key) => edit(active, key.length === 1 ? key : undefined),
  };
  const isEditing = field.editing !== undefined;
  const listeners = listenersOf({
    ...{ active, size, actions, write, paste },
    go: (place, isExtending) => (isExtending ? selection.extend(place) : select(place)),
    copy: () => cellsIn(draft, range),
    say: (what) => onSay(`${cellsText(range)} ${what}.`),
    edit: (place) => isEditing || edit(place),
    reach: selection.reach,
    press: selection.press,
    drag: (place) => isEditing || selection.drag(place),
  });
  return { range, select, move, ...field, span: spanOf(range, draft), listeners };
}

/** What is done to the cells that are selected. */
function changesOf({ draft, columns, onChange, onSay }: GridEditsOptions, selection: Selection) {
  const { range, select } = selection;
  return {
    write: (text: string) => onChange(withText(draft, range, text)),
    move: (by: -1 | 1) => {
      const next = withMoved(draft, spanOf(range, draft), by);
      if (next === draft) return;
      onChange(next);
      selection.follow(by);
    },
    paste: (cells: readonly (readonly string[])[]) => {
      const { top: row, left: column } = range;
      const next = withCells(draft, { row, column, cells });
      onChange(next);
      const width = Math.max(...cells.map(({ length }) => length));
      const room = columns.length - column;
      onSay(pasteText(cells.length, next.rows.length - draft.rows.length, width - room));
      const last = { row: row + cells.length - 1, column: column + Math.min(room, width) - 1 };
      select({ row, column }, last);
    },
  };
}

/** What became of rows that were pasted, some of them added, and of columns that the grid does not have. */
function pasteText(rows: number, added: number, lost: number): string {
  return [
    `${rowsText(rows)} pasted.`,
    ...(added > 0 ? [`${rowsText(added)} added.`] : []),
    ...(lost > 0 ? [`${lost === 1 ? "1 column" : `${lost} columns`} did not fit.`] : []),
  ].join(" ");
}

/** The field in the cell that is edited. */
function useField(
  { draft, columns, active, goTo, onChange, onSay }: GridEditsOptions,
  { select, press }: Selection,
  size: GridCommands["size"],
) {
  const [editing, setEditing] = useState<Editing>();
  const isFixed = ({ row, column }: CellPlace) =>
    row === draft.rows.length && columns[column]?.kind !== "output";
  return {
    editing,
    isFixed,
    edit: (place: CellPlace, typed?: string) => {
      if (isFixed(place)) {
        onSay("The default has outputs only.");
        return;
      }
      press(false);
      setEditing({ ...place, typed });
    },
    cancel: () => {
      setEditing(undefined);
      goTo(active);
    },
    commit: (place: CellPlace, text: string, leave: Leave) => {
      setEditing(undefined);
      onChange(withCells(draft, { ...place, cells: [[text]] }));
      // Who has clicked elsewhere stays there.
      if (leave !== "stay") select(placeAfterEdit(place, leave, size));
    },
  };
}
