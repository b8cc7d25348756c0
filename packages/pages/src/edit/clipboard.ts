/** What a spreadsheet puts into the clipboard. */
interface Pasted {
  /** `text/html`; empty where there is none. */
  readonly html: string;
  /** `text/plain`. */
  readonly text: string;
}

/**
 * The cells in a clipboard. HTML says where a cell ends, and plain text does not: Excel writes the text `"DE"` as it is, and a text
 * of two lines in quotes.
 */
export function readCells({ html, text }: Pasted): readonly (readonly string[])[] {
  const table =
    html === "" ? null : new DOMParser().parseFromString(html, "text/html").querySelector("table");
  return table === null ? readTabbed(text) : rowsOf(table);
}

function rowsOf(table: HTMLTableElement): readonly (readonly string[])[] {
  return [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => {
      for (const line of cell.querySelectorAll("br")) line.replaceWith("\u{2028}");
      const text = (cell.textContent ?? "")
        .replaceAll(/[ \t\r\n\u{a0}]+/gu, " ")
        .replaceAll(/ ?\u{2028} ?/gu, "\n")
        .trim();
      // What a merged cell covers is blank.
      return [text, ...Array.from({ length: Math.min(cell.colSpan, 100) - 1 }, () => "")];
    }),
  );
}

const quote = '"';

/** Lines of cells with tabs between them. Quotes enclose a cell only where they end it. */
export function readTabbed(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  let at = 0;
  for (;;) {
    const { cell, end } = cellAt(text, at);
    rows.at(-1)?.push(cell);
    if (end >= text.length) break;
    const isLine = text[end] !== "\t";
    at = end + (text.startsWith("\r\n", end) ? 2 : 1);
    // The last line ends, too.
    if (isLine && at >= text.length) break;
    if (isLine) rows.push([]);
  }
  return rows;
}

function cellAt(text: string, start: number): { readonly cell: string; readonly end: number } {
  if (text[start] === quote) {
    let end = start + 1;
    while (end < text.length && (text[end] !== quote || text[end + 1] === quote))
      end += text[end] === quote ? 2 : 1;
    const isClosed = text[end] === quote && (end + 1 >= text.length || /[\t\r\n]/.test(text[end + 1] ?? ""));
    if (isClosed) return { cell: text.slice(start + 1, end).replaceAll('""', quote), end: end + 1 };
  }
  let end = start;
  while (end < text.length && !/[\t\r\n]/.test(text[end] ?? "")) end += 1;
  return { cell: text.slice(start, end), end };
}

/** Cells as spreadsheets read them: what begins with a quote or has several lines is quoted. */
export function writeTabbed(cells: readonly (readonly string[])[]): string {
  return cells
    .map((row) =>
      row.map((cell) => (/^"|[\t\r\n]/.test(cell) ? `"${cell.replaceAll(quote, '""')}"` : cell)).join("\t"),
    )
    .join("\n");
}
