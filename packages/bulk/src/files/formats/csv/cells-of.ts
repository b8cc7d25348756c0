/** One cell: `undefined` where nothing is written, an empty text where `""` is. */
export type Cell = string | undefined;

/** What is wrong with a record: a clause such as "it has 2 cells". */
export class MalformedRecord extends Error {
  override readonly name = "MalformedRecord";
}

/**
 * The cells of one record.
 *
 * @param text - without the newline at its end
 * @throws MalformedRecord for quotes that RFC 4180 does not allow
 */
export function cellsOf(text: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; ; at += 1) {
    if (text[at] === '"') {
      const { cell, end } = quotedCell(text, at);
      cells.push(cell);
      at = end;
    } else {
      const comma = text.indexOf(",", at);
      const end = comma === -1 ? text.length : comma;
      cells.push(end === at ? undefined : text.slice(at, end));
      at = end;
    }
    // A comma at the end has an empty cell behind it.
    if (at >= text.length) return cells;
  }
}

/** @returns the cell whose quote opens at `start`, and the index of the comma behind it, or of the text's end */
function quotedCell(text: string, start: number): { readonly cell: string; readonly end: number } {
  let cell = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw new MalformedRecord("a quote opens in it and is never closed");
    cell += text.slice(from, quote);
    const next = text[quote + 1];
    if (next === undefined || next === ",") return { cell, end: quote + 1 };
    if (next !== '"') throw new MalformedRecord("text follows the closing quote of a cell");
    cell += '"';
    from = quote + 2;
  }
}
