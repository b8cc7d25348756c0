import type { Problem } from "@decern/core";
import type { Place, TableProblem } from "./document.js";

/** How many errors are reported together. */
const most = 100;

/** Collects what is wrong with a table, up to a hundred errors and as many warnings. */
export class Problems {
  readonly #found: TableProblem[] = [];
  readonly #placeOf: (path: string) => Place;
  /** A part that has an error has no second one. */
  readonly #wrong = new Set<string>();
  #errors = 0;
  #warnings = 0;

  /** @param placeOf - where a part of the document stands in its file, by JSON Pointer */
  constructor(placeOf: (path: string) => Place) {
    this.#placeOf = placeOf;
  }

  get list(): readonly TableProblem[] {
    return this.#found;
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Whether further errors would not be reported. */
  get isFull(): boolean {
    return this.#errors >= most;
  }

  error(path: string, message: string, place = this.#placeOf(path)): void {
    const key = `${path} ${place.row ?? ""} ${place.column ?? ""}`;
    if (this.#wrong.has(key)) return;
    this.#wrong.add(key);
    if (this.#errors < most) this.#found.push({ severity: "error", path, message, place });
    this.#errors += 1;
  }

  warn(path: string, message: string, place = this.#placeOf(path)): void {
    if (this.#warnings < most) this.#found.push({ severity: "warning", path, message, place });
    this.#warnings += 1;
  }
}

/** The errors, each with its place in its message. */
export function errorsOf(problems: readonly TableProblem[]): readonly Problem[] {
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ path, message, place }) => ({
      path,
      message: place === undefined ? message : `${placeText(place)}: ${message}`,
    }));
}

/** Where a problem is, such as `fee.xlsx, sheet "Fees", row 7, column C`. */
export function placeText({ file, sheet, row, column }: Place): string {
  return [
    file,
    ...(sheet === undefined ? [] : [`sheet ${JSON.stringify(sheet)}`]),
    ...(row === undefined ? [] : [`row ${row}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
  ].join(", ");
}
