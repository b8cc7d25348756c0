import type { OutputCell } from "../document/document.js";
import type { ColumnType } from "./condition.js";
import {
  CellError,
  checkedReference,
  numberFrom,
  quotedText,
  type References,
  referencePattern,
  refuseDecimalComma,
  refuseTypography,
  timeFrom,
} from "./literals.js";
import { type Numeric, SumParser } from "./parse-sum.js";
import { typeNames, valueAt } from "./scalar.js";

/** What an output cell stands for. */
export type OutputValue =
  /** The member is left out. */
  | { readonly kind: "absent" }
  | { readonly kind: "constant"; readonly value: string | number | boolean | null }
  | {
      readonly kind: "computed";
      readonly text: string;
      /** The same for calculations that have the same result for every input. */
      readonly form: string;
      /** Fields of the input that it depends on. */
      readonly reads: readonly (readonly string[])[];
      readonly compute: Compute;
    };

/** @throws RangeError, TypeError for arithmetic with anything but numbers, and for division by zero */
type Compute = (input: unknown, profile: unknown) => unknown;

/** An output column, as the output schema has it. */
export interface ResultColumn {
  readonly path: readonly string[];
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Whether results can lack it. */
  readonly isOptional: boolean;
}

/**
 * Parses an output cell.
 *
 * @throws CellError for text outside the grammar, and for a value of another type than the column's
 */
export function parseOutput(cell: OutputCell, column: ResultColumn, references: References): OutputValue {
  const { type } = column;
  if (cell === null) return nothing(column);
  if (typeof cell !== "string") {
    if (typeof cell !== type)
      throw new CellError(
        `${cell} is ${typeof cell === "number" ? "a number" : "true or false"}, and the column holds ${typeNames[type]}`,
      );
    if (typeof cell === "number" && !Number.isFinite(cell)) throw new CellError("is not a finite number");
    return { kind: "constant", value: cell };
  }
  const text = cell.trim();
  // What most cells of numbers hold, without the grammar.
  if (type === "number" && plainNumber.test(text)) return { kind: "constant", value: numberFrom(text) };
  if (text === "") {
    if (column.isOptional) return { kind: "absent" };
    throw new CellError("is empty, and the output schema requires a value");
  }
  if (text === "-")
    throw new CellError('"-" is not a value; leave the cell empty to leave out what is optional');
  if (text === "null") return nothing(column);
  const reference = wholeReference(text);
  if (reference !== undefined) {
    const { root, path } = checkedReference(reference, type, references);
    const compute: Compute = (input, profile) => valueAt(root === "input" ? input : profile, path);
    return { kind: "computed", text, form: text, reads: root === "input" ? [path] : [], compute };
  }
  if (type === "number") return parseSum(text, references);
  return { kind: "constant", value: literalOf(text, type) };
}

const plainNumber = /^-?\d+(?:\.\d+)?$/;

function nothing({ isNullable }: ResultColumn): OutputValue {
  if (isNullable) return { kind: "constant", value: null };
  throw new CellError("is null, and the output schema has no null there");
}

function wholeReference(text: string): RegExpExecArray | undefined {
  referencePattern.lastIndex = 0;
  const match = referencePattern.exec(text);
  return match !== null && match[0].length === text.length ? match : undefined;
}

function literalOf(text: string, type: Exclude<ColumnType, "number">): string | boolean {
  if (type === "boolean") {
    // Spreadsheets write them in capitals.
    if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
    throw new CellError(`"${text}" is neither true nor false`);
  }
  const value = text.startsWith('"') ? quotedText(text) : text;
  if (type === "text") {
    if (value === text) refuseTypography(/^[“”„«]/u.test(text) || /^\p{Pd}$/u.test(text) ? text : "");
    if (value === text && /^(?:profile|input)\.\S/.test(text))
      throw new CellError(`"${text}" starts like a reference; put it in quotation marks if it is a text`);
    return value;
  }
  // As it is written: the output schema has the text.
  timeFrom(type, value);
  return value;
}

function parseSum(text: string, references: References): OutputValue {
  refuseDecimalCommaOutsideCalls(text);
  const parser = new SumParser(text, references);
  const { compute, isConstant, form } = parser.parse();
  if (!isConstant)
    return { kind: "computed", text, form, reads: parser.reads, compute: evaluated(compute, text) };
  try {
    return { kind: "constant", value: compute(undefined, undefined) };
  } catch (error) {
    throw new CellError(`"${text}" has no result: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** In `min(1,5)` the comma separates arguments, but it can also be meant for decimals. */
function refuseDecimalCommaOutsideCalls(text: string): void {
  refuseTypography(text);
  refuseDecimalComma(text);
}

function evaluated(compute: Numeric, text: string): Compute {
  return (input, profile) => {
    try {
      return compute(input, profile);
    } catch (cause) {
      throw new RangeError(
        `"${text}" has no result: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      );
    }
  };
}
