import type { Schema } from "@decern/core";
import { dayOf } from "@decern/core/schema";
import type { Condition, Scalar } from "../cells/condition.js";
import { CellError } from "../cells/literals.js";
import { parseCondition } from "../cells/parse-condition.js";
import { type OutputValue, parseOutput } from "../cells/parse-output.js";
import { instantOf } from "../cells/scalar.js";
import type { InputCell, OutputCell, TableRow } from "../document/document.js";
import type { Problems } from "../document/problems.js";
import { type ReadDocument, type ReadRow, shown } from "../document/read-document.js";
import type { Emission, Emit, ModelRow } from "../model.js";
import { canonicalCondition, canonicalOutput } from "./canonical-cells.js";
import type { ContractShape } from "./contract.js";
import type { Field } from "./fields.js";
import { OutputCheck } from "./output-check.js";

/** What a row without an id is called. */
export function rowId(index: number): string {
  return `row-${index + 1}`;
}

export interface RowContext {
  readonly shape: ContractShape;
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  readonly outputSchema: Schema;
}

interface Emitted extends Emission {
  readonly cells: readonly OutputCell[];
}

/** A parsed cell; cells with the same text share one. */
type Parsed<Value, Cell> = { readonly value: Value; readonly cell: Cell } | { readonly problem: string };

export class RowParser {
  readonly rows: ModelRow[] = [];
  readonly canonical: TableRow[] = [];
  /** Fields of the input that outputs are computed from. */
  readonly reads: (readonly string[])[] = [];
  readonly #document: ReadDocument;
  readonly #context: RowContext;
  readonly #problems: Problems;
  readonly #check: OutputCheck;
  readonly #conditions: readonly Map<InputCell, Parsed<Condition, InputCell>>[];
  readonly #outputs: readonly Map<OutputCell, Parsed<OutputValue, OutputCell>>[];
  readonly #ids = new Map<string, number>();

  constructor(document: ReadDocument, context: RowContext, problems: Problems) {
    this.#document = document;
    this.#context = context;
    this.#problems = problems;
    const paths = context.outputs.map(({ path }) => path);
    this.#check = new OutputCheck(context.outputSchema, document.hitPolicy, paths, problems);
    this.#conditions = context.inputs.map(() => new Map());
    this.#outputs = context.outputs.map(() => new Map());
  }

  parse(): this {
    for (const [index, row] of this.#document.rules.entries()) {
      if (this.#problems.isFull) break;
      if (row !== undefined) this.#parseRow(row, index);
    }
    return this;
  }

  /** Parses the output cells of a row, or of the default. */
  emitted(cells: readonly OutputCell[], path: string): Emitted | undefined {
    const values: OutputValue[] = [];
    const canonical: OutputCell[] = [];
    const constants: OutputConstant[] = [];
    let computed: readonly number[] = none;
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index];
      const field = this.#context.outputs[index];
      const known = this.#outputs[index];
      if (cell === undefined || field === undefined || known === undefined) continue;
      const parsed =
        known.get(cell) ??
        remembered(known, cell, () => {
          const value = parseOutput(cell, resultColumn(field), this.#context.shape.references);
          if (value.kind === "computed") this.reads.push(...value.reads);
          return { value, cell: canonicalOutput(value, field) };
        });
      if ("problem" in parsed) {
        this.#problems.error(outputPath(path, index), parsed.problem);
        continue;
      }
      const { value } = parsed;
      values.push(value);
      canonical.push(parsed.cell);
      constants.push(value.kind === "constant" ? value.value : undefined);
      if (value.kind === "computed") computed = [...computed, index];
      this.#checkPriority(value, index, path);
    }
    if (values.length < cells.length) return undefined;
    if (computed.length === 0) {
      this.#check.check(constants, path);
      return { cells: canonical, computed, constants, forms: canonical, emit: () => constants };
    }
    const forms = values.map((value, at) => (value.kind === "computed" ? value.form : (canonical[at] ?? "")));
    const emit: Emit = (input, profile) =>
      values.map((value, index) =>
        value.kind === "computed" ? value.compute(input, profile) : constants[index],
      );
    return { cells: canonical, computed, constants, forms, emit };
  }

  #parseRow(row: ReadRow, index: number): void {
    const path = `/rules/${index}`;
    const id = this.#idOf(row, index);
    const conditions: Condition[] = [];
    const canonical: InputCell[] = [];
    for (let at = 0; at < row.if.length; at += 1) {
      const cell = row.if[at];
      const column = this.#context.inputs[at];
      const known = this.#conditions[at];
      if (cell === undefined || column === undefined || known === undefined) continue;
      const parsed =
        known.get(cell) ??
        remembered(known, cell, () => {
          const value = parseCondition(cell, column, this.#context.shape.references);
          return { value, cell: canonicalCondition(cell, value, column) };
        });
      if ("problem" in parsed) {
        this.#problems.error(`${path}/if/${at}`, parsed.problem);
        continue;
      }
      conditions.push(parsed.value);
      canonical.push(parsed.cell);
    }
    const emitted = this.emitted(row.then, path);
    const fromMs = this.#boundary(row.from, `${path}/from`);
    const untilMs = this.#boundary(row.until, `${path}/until`);
    if (fromMs !== undefined && untilMs !== undefined && fromMs >= untilMs)
      this.#problems.error(`${path}/until`, "is not after from, so the row is never in force");
    if (emitted === undefined || conditions.length < row.if.length) return;
    const { emit, computed, constants, forms } = emitted;
    this.rows.push({
      id,
      conditions,
      emit,
      computed,
      constants,
      forms,
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(untilMs === undefined ? {} : { untilMs }),
    });
    const note = row.note?.trim() ?? "";
    this.canonical.push({
      id,
      if: canonical,
      then: emitted.cells,
      ...(note === "" ? {} : { note }),
      ...(fromMs === undefined ? {} : { from: row.from?.trim() }),
      ...(untilMs === undefined ? {} : { until: row.until?.trim() }),
    });
  }

  #idOf({ id: given }: ReadRow, index: number): string {
    const path = `/rules/${index}/id`;
    const id = given?.trim() ?? rowId(index);
    if (given === undefined)
      this.#problems.warn(
        path,
        `is missing, so the row is called "${id}"; a new row above it would change that, and what records and reports mean`,
      );
    const earlier = this.#ids.get(id);
    if (earlier !== undefined)
      this.#problems.error(path, `"${id}" is the id of an earlier row, number ${earlier + 1}`);
    else this.#ids.set(id, index);
    return id;
  }

  #checkPriority(value: OutputValue, index: number, path: string): void {
    const priority = this.#document.outputs[index]?.priority;
    if (priority === undefined || value.kind !== "constant") return;
    const found: Scalar | null = value.value;
    if (found === null || !priority.includes(found))
      this.#problems.error(
        outputPath(path, index),
        `${shown(found)} is not in the order of priority: ${priority.map(shown).join(", ")}`,
      );
  }

  #boundary(text: string | undefined, path: string): number | undefined {
    const trimmed = text?.trim() ?? "";
    if (trimmed === "") return undefined;
    const day = dayOf(trimmed);
    const ms = day === undefined ? instantOf(trimmed) : day * 86_400_000;
    if (ms === undefined)
      this.#problems.error(
        path,
        `${shown(trimmed)} is neither a date, such as 2026-03-31, nor a date-time with an offset`,
      );
    return ms;
  }
}

/** @param path - of a row, or of the default */
function outputPath(path: string, index: number): string {
  return path === "/default" ? `/default/${index}` : `${path}/then/${index}`;
}

/** Of nearly all rows. */
const none: readonly number[] = [];

type OutputConstant = Extract<OutputValue, { readonly kind: "constant" }>["value"] | undefined;

function remembered<Value, Cell>(
  known: Map<Cell, Parsed<Value, Cell>>,
  cell: Cell,
  parse: () => Parsed<Value, Cell>,
): Parsed<Value, Cell> {
  let parsed: Parsed<Value, Cell>;
  try {
    parsed = parse();
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    parsed = { problem: error.message };
  }
  known.set(cell, parsed);
  return parsed;
}

function resultColumn({ path, type, allowsNull, isOptional }: Field) {
  return { path, type, isNullable: allowsNull, isOptional };
}
