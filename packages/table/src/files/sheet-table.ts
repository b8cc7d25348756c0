import { defaultId, type Place } from "../document/document.js";
import { CellReader, plain } from "./cell-reader.js";
import { columnLetters, type FileRow, type FileSheet } from "./cells.js";
import { aligned, isBlank, keyOf, keys, prioritiesOf } from "./sheet-lines.js";

/** A table as it stands in a sheet or a CSV file. Its cells were not checked. */
export interface SheetTable {
  /** In the form of a table document, as far as the sheet has it. */
  readonly document: unknown;
  readonly placeOf: (path: string) => Place;
  readonly problems: readonly { readonly path: string; readonly message: string; readonly place: Place }[];
  /** JSON Pointers of cells that the spreadsheet holds as dates. */
  readonly dates: readonly string[];
}

/** Reads the lines of a sheet: keys and values, the heading, and a row each. */
export function readSheetTable(sheet: FileSheet, file: string): SheetTable {
  return new SheetTableReader(sheet, file).read();
}

type ColumnUse =
  | { readonly kind: "input" | "output"; readonly index: number }
  | { readonly kind: "id" | "note" | "from" | "until" };

class SheetTableReader {
  readonly #sheet: FileSheet;
  readonly #cells: CellReader;
  readonly #places = new Map<string, Place>();
  readonly #uses = new Map<number, ColumnUse>();
  readonly #columns: { input: Record<string, unknown>[]; output: Record<string, unknown>[] } = {
    input: [],
    output: [],
  };
  readonly #document: Record<string, unknown> = {};
  readonly #rules: unknown[] = [];
  readonly #rowOf: number[] = [];
  #width = 0;

  constructor(sheet: FileSheet, file: string) {
    this.#sheet = sheet;
    this.#cells = new CellReader(sheet.name, file);
  }

  read(): SheetTable {
    const rows = this.#sheet.rows.filter(({ cells }) => cells.some((cell) => !isBlank(cell)));
    const heading = rows.findIndex(({ cells }) => keyOf(cells[0]) === "rule");
    this.#checkSheet();
    const before = heading < 0 ? rows : rows.slice(0, heading);
    const headingRow = rows[heading];
    this.#readKeys(before);
    if (headingRow === undefined)
      this.#cells.report("/inputs", 'has no heading line that begins with "rule"', {});
    else {
      this.#readHeading(headingRow);
      this.#readAligned(before);
      let last = headingRow.number;
      for (const row of rows.slice(heading + 1)) {
        this.#checkRow(row, last);
        last = row.number;
        this.#readRow(row);
      }
    }
    const document = {
      ...this.#document,
      inputs: this.#columns.input,
      outputs: this.#columns.output,
      rules: this.#rules,
    };
    const { problems, dates } = this.#cells;
    return { document, problems, dates, placeOf: (path) => this.#placeOf(path) };
  }

  /** The place of the longest part of a path that has one. */
  #placeOf(path: string): Place {
    const [, index, kind, member] = /^\/rules\/(\d+)(?:\/(\w+)(?:\/(\d+))?)?$/.exec(path) ?? [];
    const row = this.#rowOf[Number(index)];
    if (row !== undefined) {
      const [column] =
        [...this.#uses].find(([, use]) => {
          if (use.kind === "input" || use.kind === "output")
            return (use.kind === "input" ? "if" : "then") === kind && String(use.index) === member;
          return use.kind === kind;
        }) ?? [];
      return this.#cells.place(column === undefined ? { row } : { row, column: columnLetters(column) });
    }
    for (let part = path; part !== ""; part = part.slice(0, part.lastIndexOf("/"))) {
      const place = this.#places.get(part);
      if (place !== undefined) return place;
    }
    return this.#cells.place({});
  }

  #checkSheet(): void {
    if (this.#sheet.isHidden === true) this.#cells.report("", "is a hidden sheet; show it, or delete it", {});
    for (const range of this.#sheet.merged) {
      const [, column = "", row = ""] = /^([A-Z]+)(\d+)/.exec(range) ?? [];
      const message = `has merged cells, ${range}; a value would stand in one of them only`;
      this.#cells.problems.push({
        path: "",
        message,
        place: this.#cells.place({ row: Number(row), column }),
      });
    }
  }

  #readKeys(rows: readonly FileRow[]): void {
    for (const { number, cells } of rows) {
      const key = keyOf(cells[0]);
      const member = keys.get(key);
      if (member !== undefined) {
        if (Object.hasOwn(this.#document, member))
          this.#cells.report(`/${member}`, `repeats the line "${key}"`, { row: number, column: 0 });
        this.#places.set(`/${member}`, this.#cells.place({ row: number, column: "B" }));
        const value = this.#cells.text(cells[1], `/${member}`, number, 1);
        if (value !== "") this.#document[member] = value;
      } else if (!aligned.has(key) && !key.startsWith("sep=")) {
        const known = [...keys.keys(), ...aligned].join(", ");
        this.#cells.report("", `is not a line that a table has before its heading; there are ${known}`, {
          row: number,
          column: 0,
        });
      }
    }
  }

  #readHeading({ number, cells }: FileRow): void {
    this.#uses.set(0, { kind: "id" });
    this.#width = cells.findLastIndex((cell) => !isBlank(cell)) + 1;
    for (let column = 1; column < this.#width; column += 1) {
      const text = this.#cells.text(cells[column], "/inputs", number, column);
      const letters = columnLetters(column);
      if (this.#sheet.hiddenColumns.has(column))
        this.#cells.report("", "is a hidden column; show it, or delete it", { row: number, column });
      const lower = text.toLowerCase();
      if (lower === "note" || lower === "from" || lower === "until") {
        if ([...this.#uses.values()].some(({ kind }) => kind === lower))
          this.#cells.report("", `repeats the column "${lower}"`, { row: number, column });
        this.#uses.set(column, { kind: lower });
        continue;
      }
      const [, mark, path = ""] = /^(→|out:|in:)?\s*(.*)$/isu.exec(text) ?? [];
      if (path === "") {
        this.#cells.report("", "has no heading, but columns behind it have", { row: number, column });
        continue;
      }
      const kind = mark === undefined || mark.toLowerCase() === "in:" ? "input" : "output";
      const list = this.#columns[kind];
      const place = this.#cells.place({ row: number, column: letters });
      this.#places.set(`/${kind}s/${list.length}`, place);
      this.#places.set(`/${kind}s`, this.#cells.place({ row: number }));
      this.#uses.set(column, { kind, index: list.length });
      list.push({ path });
    }
  }

  #readAligned(rows: readonly FileRow[]): void {
    for (const { number, cells } of rows) {
      const key = keyOf(cells[0]);
      if (key !== "label" && key !== "priority") continue;
      for (const [column, cell] of cells.entries()) {
        if (column === 0 || isBlank(cell)) continue;
        const use = this.#uses.get(column);
        const target =
          use?.kind === "input" || use?.kind === "output" ? this.#columns[use.kind][use.index] : undefined;
        if (target === undefined) {
          this.#cells.report("", `is a ${key} of a column that is neither an input nor an output`, {
            row: number,
            column,
          });
          continue;
        }
        if (key === "label") target["label"] = this.#cells.text(cell, "", number, column);
        else if (use?.kind === "output")
          target["priority"] = prioritiesOf(this.#cells.value(cell, "", number, column));
        else
          this.#cells.report("", "is a priority of an input; only outputs have one", { row: number, column });
      }
    }
  }

  #checkRow({ number, cells, isHidden }: FileRow, last: number): void {
    if (number > last + 1) {
      const blank =
        number === last + 2 ? `row ${last + 1} is blank` : `rows ${last + 1} to ${number - 1} are blank`;
      this.#cells.report("", `${blank}, with a row of the table below; delete what is blank`, {
        row: last + 1,
      });
    }
    if (isHidden === true)
      this.#cells.report("", "is a hidden row, which would decide unseen; show it, or delete it", {
        row: number,
      });
    if (this.#sheet.isDelimited && cells.length < this.#width)
      this.#cells.report("", `has ${cells.length} cells, and the heading has ${this.#width}`, {
        row: number,
      });
    for (let column = this.#width; column < cells.length; column += 1)
      if (!isBlank(cells[column])) this.#cells.report("", "has no heading", { row: number, column });
  }

  #readRow({ number, cells }: FileRow): void {
    if (keyOf(cells[0]) === defaultId) return this.#readDefault({ number, cells });
    const base = `/rules/${this.#rules.length}`;
    const conditions: unknown[] = [];
    const outputs: unknown[] = [];
    const rule: Record<string, unknown> = {};
    this.#rowOf.push(number);
    for (const [column, use] of this.#uses) {
      const cell = cells[column];
      if (use.kind === "input" || use.kind === "output") {
        const [list, name] = use.kind === "input" ? [conditions, "if"] : [outputs, "then"];
        // The path of a cell is made only for a problem or a date.
        list[use.index] =
          typeof cell === "object"
            ? this.#cells.value(cell, `${base}/${name}/${use.index}`, number, column)
            : plain(cell);
      } else {
        const text =
          typeof cell === "string"
            ? cell.trim()
            : this.#cells.text(cell, `${base}/${use.kind}`, number, column);
        if (text !== "") rule[use.kind] = text;
      }
    }
    this.#rules.push({ ...rule, if: conditions, then: outputs });
  }

  #readDefault({ number, cells }: FileRow): void {
    const outputs: unknown[] = [];
    for (const [column, use] of this.#uses) {
      const cell = cells[column];
      const place = { row: number, column };
      if (use.kind === "input") {
        const path = `/if/${use.index}`;
        const value = this.#cells.value(cell, path, number, column);
        if (value !== "" && value !== "-")
          this.#cells.report(path, "is a condition of the default, which has none", place);
      } else if (use.kind === "output") {
        const path = `/default/${use.index}`;
        this.#places.set(path, this.#cells.place({ row: number, column: columnLetters(column) }));
        outputs[use.index] = this.#cells.value(cell, path, number, column);
      } else if (use.kind !== "id" && this.#cells.text(cell, `/${use.kind}`, number, column) !== "")
        this.#cells.report("/default", `is "${use.kind}" of the default, which has none`, place);
    }
    if (Object.hasOwn(this.#document, "default"))
      this.#cells.report("/default", "is a second default", { row: number });
    this.#places.set("/default", this.#cells.place({ row: number }));
    this.#document["default"] = outputs;
  }
}
