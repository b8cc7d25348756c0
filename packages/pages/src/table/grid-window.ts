import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Tables with more rows draw only those that are seen. */
const mostDrawn = 120;

/** Rows on paper. */
export const mostPrinted = 1000;

/** Rows above and below those that are seen, so that scrolling finds them drawn. */
const margin = 8;

/** Which rows are drawn, and how much room the others take, in pixels. */
export interface Drawn {
  readonly from: number;
  readonly to: number;
  readonly above: number;
  readonly below: number;
}

/** The rows that a window onto `count` rows of one height shows. */
export function drawnRows(count: number, rowHeight: number, top: number, height: number): Drawn {
  const from = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - margin);
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + margin);
  return { from, to, above: from * rowHeight, below: (count - to) * rowHeight };
}

/** Until a row has been measured. */
const guessedHeight = 56;

/** What a grid that scrolls by itself draws. */
export function useDrawnRows(scroller: RefObject<HTMLElement | null>, count: number) {
  const isLong = count > mostDrawn;
  const isPrinted = usePrinting();
  const [view, setView] = useState({ top: 0, height: 600, rowHeight: guessedHeight });
  const measure = () => {
    const box = scroller.current;
    if (box === null) return;
    const row = box.querySelector<HTMLElement>("[data-row]");
    const rowHeight = row?.offsetHeight || guessedHeight;
    setView((last) => {
      const next = { top: box.scrollTop, height: box.clientHeight, rowHeight };
      return last.top === next.top && last.height === next.height && last.rowHeight === next.rowHeight
        ? last
        : next;
    });
  };
  useLayoutEffect(measure, [count, isPrinted]);
  useEffect(() => {
    const box = scroller.current;
    if (!isLong || box === null) return undefined;
    // A phone that is turned shows cards of another height.
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    box.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", measure);
    };
  }, [isLong]);
  const all: Drawn = { from: 0, to: Math.min(count, isPrinted ? mostPrinted : count), above: 0, below: 0 };
  const drawn = isLong && !isPrinted ? drawnRows(count, view.rowHeight, view.top, view.height) : all;
  return { isLong, isPrinted, drawn, ...view };
}

function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia("print").matches);
  useEffect(() => {
    const media = matchMedia("print");
    const follow = () => setPrinting(media.matches);
    const begin = () => setPrinting(true);
    media.addEventListener("change", follow);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", follow);
    return () => {
      media.removeEventListener("change", follow);
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", follow);
    };
  }, []);
  return printing;
}

/** The cell that has the keyboard. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Where a key leads from a cell; `undefined` for keys that lead nowhere. */
export function placeAfter(
  { key, ctrlKey }: Pick<KeyboardEvent, "key" | "ctrlKey">,
  { row, column }: CellPlace,
  { rows, columns, page }: { readonly rows: number; readonly columns: number; readonly page: number },
): CellPlace | undefined {
  const moved: Readonly<Record<string, CellPlace>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? rows - 1 : row, column: columns - 1 },
  };
  const to = Object.hasOwn(moved, key) ? moved[key] : undefined;
  if (to === undefined) return undefined;
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  return { row: within(to.row, rows), column: within(to.column, columns) };
}

/** Gives the keyboard to cells, and draws those that it goes to. */
export function useGridFocus(scroller: RefObject<HTMLElement | null>, isLong: boolean, rowHeight: number) {
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const wanted = useRef<CellPlace | undefined>(undefined);
  useLayoutEffect(() => {
    const place = wanted.current;
    if (place === undefined) return;
    const cell = scroller.current?.querySelector<HTMLElement>(
      `[data-row="${place.row}"] [data-column="${place.column}"]`,
    );
    if (cell === null || cell === undefined) return;
    wanted.current = undefined;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  /** Scrolls a row into the grid's window, and nothing else of the page. */
  const reveal = (row: number) => {
    const box = scroller.current;
    if (box === null) return;
    const drawn = isLong ? null : box.querySelector<HTMLElement>(`[data-row="${row}"]`);
    const top = drawn?.offsetTop ?? row * rowHeight;
    const isSeen = top >= box.scrollTop && top + 2 * rowHeight <= box.scrollTop + box.clientHeight;
    // What is far away gets into the middle.
    if (!isSeen) box.scrollTop = Math.max(0, top - box.clientHeight / 2);
  };
  const goTo = (place: CellPlace) => {
    wanted.current = place;
    setActive(place);
    if (isLong) step(scroller.current, place.row * rowHeight, rowHeight);
  };
  /** Takes note of the cell that has the keyboard already. */
  const hold = setActive;
  return { active, goTo, hold, reveal };
}

/** Draws the row at `top` for the keyboard: a step moves the rows by a step, a jump gets it into the middle. */
function step(box: HTMLElement | null, top: number, rowHeight: number): void {
  if (box === null) return;
  const isAbove = top < box.scrollTop;
  if (!isAbove && top + 2 * rowHeight <= box.scrollTop + box.clientHeight) return;
  const isNear = Math.abs(top - box.scrollTop) < 2 * box.clientHeight;
  const above = isAbove ? 0 : box.clientHeight - 2 * rowHeight;
  box.scrollTop = top - (isNear ? above : box.clientHeight / 2);
}
