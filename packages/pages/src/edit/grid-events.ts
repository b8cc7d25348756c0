import { cellAt } from "../table/grid-frame.js";
import { type CellPlace, placeAfter } from "../table/grid-window.js";
import { readCells, writeTabbed } from "./clipboard.js";

/** What a key does to a grid that is edited, if it does not go to another cell. */
type GridAction = "undo" | "redo" | "up" | "down" | "clear" | "all" | "leave" | "edit";

/** What the keys, the mouse and the clipboard can have a grid do. */
export interface GridCommands {
  /** The cell that has the keyboard. */
  readonly active: CellPlace;
  readonly size: Parameters<typeof placeAfter>[2];
  go(place: CellPlace, isExtending: boolean): void;
  /** Each with the key that was pressed. */
  readonly actions: Readonly<Record<GridAction, (key: string) => void>>;
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

/** What a grid listens to, apart from its field: what that does with keys and the clipboard is its own. */
export function listenersOf(commands: GridCommands) {
  return { ...keyboardOf(commands), ...clipboardOf(commands), ...mouseOf(commands) };
}

function isField({ target }: Event): boolean {
  return target instanceof HTMLTextAreaElement;
}

function keyboardOf({ active, size, go, actions, reach }: GridCommands) {
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (isField(event)) return;
      const next = event.altKey ? undefined : placeAfter(event, active, size);
      const action = next === undefined ? actionOf(event) : undefined;
      if (next !== undefined) go(next, event.shiftKey);
      else if (action !== undefined) actions[action](event.key);
      else return;
      event.preventDefault();
    },
    onFocusIn: ({ target }: FocusEvent) => {
      const place = cellAt(target);
      if (place !== undefined) reach(place);
    },
  };
}

function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): GridAction | undefined {
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

function clipboardOf({ copy, paste, write, say }: GridCommands) {
  const onCopy = (event: ClipboardEvent, what: "copied" | "cut") => {
    if (isField(event)) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", writeTabbed(copy()));
    say(what);
    if (what === "cut") write("");
  };
  return {
    onCopy: (event: ClipboardEvent) => onCopy(event, "copied"),
    onCut: (event: ClipboardEvent) => onCopy(event, "cut"),
    onPaste: (event: ClipboardEvent) => {
      const { clipboardData } = event;
      if (isField(event) || clipboardData === null) return;
      event.preventDefault();
      const cells = readCells({
        html: clipboardData.getData("text/html"),
        text: clipboardData.getData("text/plain"),
      });
      const [[only = "", second] = [], next] = cells;
      if (second === undefined && next === undefined) write(only);
      else paste(cells);
    },
  };
}

function mouseOf({ press, drag, edit }: GridCommands) {
  return {
    onMouseDown: (event: MouseEvent) => {
      if (event.button === 0 && !isField(event)) press(event.shiftKey);
    },
    onMouseMove: ({ target, buttons }: MouseEvent) => {
      const place = buttons === 1 ? cellAt(target) : undefined;
      if (place !== undefined) drag(place);
    },
    onDblClick: ({ target }: MouseEvent) => {
      const place = cellAt(target);
      if (place !== undefined) edit(place);
    },
  };
}
