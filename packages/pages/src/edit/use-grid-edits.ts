import { useState } from "preact/hooks";
import { type DraftRow, type Span, withCells, withMoved } from "../draft/draft.js";
import type { GridColumn } from "../table/columns.js";
import { cellAt } from "../table/grid-frame.js";
import { type CellPlace, placeAfter } from "../table/grid-window.js";
import { readCells, writeTabbed } from "./clipboard.js";
import type { Leave } from "./edit-cell.js";
import type { EditedDraft } from "./edit-toolbar.js";
import {
  actionOf,
  cellsText,
  placeAfterEdit,
  type Range,
  rangeOf,
  rowsText,
  spanOf,
  withBlock,
} from "./selection.js";

/** A cell that is edited. */
interface Editing extends CellPlace {
  /** What was typed to begin with. */
  readonly typed: string | undefined;
}

interface GridEditsOptions extends EditedDraft {
  readonly columns: readonly GridColumn[];
  readonly onSay: (text: string) => void;
  /** The cell that has the keyboard. */
  readonly active: CellPlace;
  readonly goTo: (place: CellPlace) => void;
  readonly hold: (place: CellPlace) => void;
  /** How many rows a page of the grid has. */
  readonly page: number;
}

export interface GridEdits {
  readonly range: Range;
  readonly editing: Editing | undefined;
  readonly span: Span;
  rowAt(row: number): DraftRow | undefined;
  isFixed(place: CellPlace): boolean;
  select(place: CellPlace, from?: CellPlace): void;
  move(by: -1 | 1): void;
  commit(place: CellPlace, text: string, leave: Leave): void;
  cancel(): void;
  /** What the grid listens to. */
  readonly listeners: ReturnType<typeof listenersOf>;
}

/** Selects and edits cells of a draft, as the keys, the mouse and the clipboard tell. */
export function useGridEdits(options: GridEditsOptions): GridEdits {
  const { draft, columns, active, goTo, onChange } = options;
  const [anchor, setAnchor] = useState<CellPlace>();
  const [editing, setEditing] = useState<Editing>();
  const range = rangeOf(active, anchor);
  const size = {
    rows: draft.rows.length + (draft.otherwise === undefined ? 0 : 1),
    columns: columns.length,
    page: options.page,
  };
  const rowAt = (row: number) => (row === draft.rows.length ? draft.otherwise : draft.rows[row]);
  const isFixed = ({ row, column }: CellPlace) =>
    row === draft.rows.length && columns[column]?.kind !== "output";
  const select = (place: CellPlace, from?: CellPlace) => {
    setAnchor(from);
    goTo(place);
  };
  const edit = (place: CellPlace, typed?: string) => {
    if (isFixed(place)) {
      options.onSay("The default has outputs only.");
      return;
    }
    setAnchor(undefined);
    setEditing({ ...place, typed });
  };
  const write = (text: string) => {
    const { top, left, bottom, right } = range;
    const row = Array.from({ length: right - left + 1 }, () => text);
    onChange(
      withBlock(
        draft,
        range,
        Array.from({ length: bottom - top + 1 }, () => row),
      ),
    );
  };
  const move = (by: -1 | 1) => {
    const next = withMoved(draft, spanOf(range, draft), by);
    if (next === draft) return;
    onChange(next);
    options.hold({ ...active, row: active.row + by });
    if (anchor !== undefined) setAnchor({ ...anchor, row: anchor.row + by });
  };
  const paste = (cells: readonly (readonly string[])[]) => {
    const { top: row, left: column } = range;
    const next = withCells(draft, { row, column, cells });
    onChange(next);
    options.onSay(pasteText(cells, next.rows.length - draft.rows.length, columns.length - column));
    const width = Math.max(...cells.map(({ length }) => length));
    const last = { row: row + cells.length - 1, column: Math.min(columns.length, column + width) - 1 };
    select({ row, column }, last);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const next = event.altKey ? undefined : placeAfter(event, active, size);
    if (next !== undefined) {
      select(next, event.shiftKey ? (anchor ?? active) : undefined);
      return true;
    }
    const action = actionOf(event);
    if (action === undefined) return false;
    const actions = {
      undo: options.onUndo,
      redo: options.onRedo,
      up: () => {
        move(-1);
        goTo({ ...active, row: Math.max(0, active.row - 1) });
      },
      down: () => {
        move(1);
        goTo({ ...active, row: Math.min(draft.rows.length - 1, active.row + 1) });
      },
      clear: () => write(""),
      all: () => select({ row: size.rows - 1, column: size.columns - 1 }, { row: 0, column: 0 }),
      leave: () => select(active),
      edit: () => edit(active, event.key.length === 1 ? event.key : undefined),
    };
    actions[action]();
    return true;
  };
  const copy = () => {
    const { top, bottom, left, right } = range;
    const rows = Array.from({ length: bottom - top + 1 }, (_, at) => rowAt(top + at));
    return rows.map((row) => row?.values.slice(left, right + 1) ?? []);
  };
  return {
    range,
    editing,
    span: spanOf(range, draft),
    rowAt,
    isFixed,
    select,
    move,
    cancel: () => {
      setEditing(undefined);
      goTo(active);
    },
    commit: (place, text, leave) => {
      setEditing(undefined);
      onChange(withCells(draft, { ...place, cells: [[text]] }));
      // Who has clicked elsewhere stays there.
      if (leave !== "stay") select(placeAfterEdit(place, leave, size));
    },
    listeners: listenersOf({
      onKey,
      copy,
      paste,
      write,
      say: (what) => options.onSay(`${cellsText(range)} ${what}.`),
      edit: (place) => editing === undefined && edit(place),
      reach: (place) => {
        if (place.row !== active.row || place.column !== active.column) options.hold(place);
      },
      press: (isExtending) => setAnchor(isExtending ? (anchor ?? active) : undefined),
      drag: (place) => {
        if (editing !== undefined || (place.row === active.row && place.column === active.column)) return;
        setAnchor(anchor ?? active);
        goTo(place);
      },
    }),
  };
}

interface GridCommands {
  /** @returns whether the key means something here */
  onKey(event: KeyboardEvent): boolean;
  copy(): readonly (readonly string[])[];
  paste(cells: readonly (readonly string[])[]): void;
  /** Writes the same text into every cell that is selected. */
  write(text: string): void;
  say(what: "copied" | "cut"): void;
  edit(place: CellPlace): void;
  reach(place: CellPlace): void;
  press(isExtending: boolean): void;
  drag(place: CellPlace): void;
}

function listenersOf(commands: GridCommands) {
  // What the field of a cell does with keys and the clipboard is its own.
  const isField = ({ target }: Event) => target instanceof HTMLTextAreaElement;
  const onCopy = (event: ClipboardEvent, what: "copied" | "cut") => {
    if (isField(event)) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", writeTabbed(commands.copy()));
    commands.say(what);
    if (what === "cut") commands.write("");
  };
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (!isField(event) && commands.onKey(event)) event.preventDefault();
    },
    onCopy: (event: ClipboardEvent) => onCopy(event, "copied"),
    onCut: (event: ClipboardEvent) => onCopy(event, "cut"),
    onPaste: (event: ClipboardEvent) => {
      const { clipboardData } = event;
      if (isField(event) || clipboardData === null) return;
      event.preventDefault();
      const [html, text] = ["text/html", "text/plain"].map((type) => clipboardData.getData(type));
      const cells = readCells({ html: html ?? "", text: text ?? "" });
      const [[only = "", second] = [], next] = cells;
      if (second === undefined && next === undefined) commands.write(only);
      else commands.paste(cells);
    },
    onFocusIn: ({ target }: FocusEvent) => {
      const place = cellAt(target);
      if (place !== undefined) commands.reach(place);
    },
    onMouseDown: (event: MouseEvent) => {
      if (event.button === 0 && !isField(event)) commands.press(event.shiftKey);
    },
    onMouseMove: ({ target, buttons }: MouseEvent) => {
      const place = buttons === 1 ? cellAt(target) : undefined;
      if (place !== undefined) commands.drag(place);
    },
    onDblClick: ({ target }: MouseEvent) => {
      const place = cellAt(target);
      if (place !== undefined) commands.edit(place);
    },
  };
}

/** What became of cells that were pasted. @param room - how many columns there are from the first of them on */
function pasteText(cells: readonly (readonly string[])[], added: number, room: number): string {
  const lost = Math.max(...cells.map(({ length }) => length)) - room;
  return [
    `${rowsText(cells.length)} pasted.`,
    ...(added > 0 ? [`${rowsText(added)} added.`] : []),
    ...(lost > 0 ? [`${lost === 1 ? "1 column" : `${lost} columns`} did not fit.`] : []),
  ].join(" ");
}
