import type { Schema } from "@decern/core";
import type { Condition, Scalar } from "../cells/condition.js";
import { CellError } from "../cells/literals.js";
import { parseCondition } from "../cells/parse-condition.js";
import { type OutputValue, parseOutput } from "../cells/parse-output.js";
import { dayOf, instantOf, scalarOf, typeNames } from "../cells/scalar.js";
import {
  defaultId,
  type InputCell,
  isAggregate,
  isListPolicy,
  type OutputCell,
  type TableRow,
} from "../document/document.js";
import type { Problems } from "../document/problems.js";
import { type ReadDocument, type ReadRow, shown } from "../document/read-document.js";
import type { Emit, ModelRow, TableModel } from "../model.js";
import { canonicalCondition, canonicalOutput } from "./canonical-cells.js";
import type { ContractShape, TableContract } from "./contract.js";
import { shapeOf } from "./contract.js";
import { type Field, pathOf } from "./fields.js";
import { OutputCheck } from "./output-check.js";

/**
 * Parses a document's cells against a contract.
 *
 * @returns `undefined` if there are errors
 */
export function buildModel(
  contract: TableContract,
  document: ReadDocument,
  problems: Problems,
): TableModel | undefined {
  const shape = shapeOf(contract);
  const { hitPolicy } = document;
  if (document.table !== contract.id)
    problems.error("/table", `${shown(document.table)} is not the id of the contract, ${shown(contract.id)}`);
  const inputs = fieldsOf(document.inputs, "/inputs", (path) => shape.inputAt(path), problems);
  checkPolicy(document, shape, problems);
  if (problems.hasErrors) return undefined;
  const outputs = fieldsOf(document.outputs, "/outputs", (path) => shape.outputAt(hitPolicy, path), problems);
  checkOutputs(document, outputs, problems);
  if (problems.hasErrors) return undefined;
  const rows = new RowParser(
    document,
    { shape, inputs, outputs, outputSchema: contract.outputSchema },
    problems,
  ).parse();
  const otherwise = document.default === undefined ? undefined : rows.emitted(document.default, "/default");
  if (problems.hasErrors) return undefined;
  const { table, version, inputs: inputColumns, outputs: outputColumns } = document;
  return {
    document: {
      table,
      version,
      hitPolicy,
      inputs: inputColumns,
      outputs: outputColumns,
      rules: rows.canonical,
      ...(otherwise === undefined ? {} : { default: otherwise.cells }),
    },
    hitPolicy,
    columns: inputs,
    rows: rows.rows,
    reads: rows.reads,
    ...(otherwise === undefined ? {} : { emitDefault: otherwise.emit }),
  };
}

function fieldsOf(
  columns: readonly { readonly path: string }[],
  place: string,
  fieldAt: (path: readonly string[]) => Field | string,
  problems: Problems,
): readonly Field[] {
  const seen = new Set<string>();
  return columns.flatMap(({ path: text }, index) => {
    const at = `${place}/${index}/path`;
    const path = pathOf(text);
    const field = path === undefined ? "is not a path of names joined by dots" : fieldAt(path);
    if (seen.has(text)) problems.error(at, `"${text}" is the path of an earlier column`);
    seen.add(text);
    if (typeof field !== "string") return [field];
    const schema = place === "/inputs" ? "input" : "output";
    problems.error(at, `"${text}" ${field === "is unknown" ? `is unknown to the ${schema} schema` : field}`);
    return [];
  });
}

function checkPolicy({ hitPolicy }: ReadDocument, { hasList }: ContractShape, problems: Problems): void {
  if (isListPolicy(hitPolicy) === hasList) return;
  problems.error(
    "/hitPolicy",
    hasList
      ? `${hitPolicy} returns a single result, and the output schema is one of a list`
      : `${hitPolicy} returns a list, and the output schema is not one of a list`,
  );
}

function checkOutputs(
  { hitPolicy, outputs }: ReadDocument,
  fields: readonly Field[],
  problems: Problems,
): void {
  if (isAggregate(hitPolicy)) {
    if (outputs.length > 1)
      problems.error("/outputs", `${hitPolicy} makes one number, so there can be one output`);
    for (const [index, { type }] of fields.entries())
      if (type !== "number")
        problems.error(
          `/outputs/${index}/path`,
          `${hitPolicy} makes a number, and the output holds ${typeNames[type]}`,
        );
  }
  const ranks = hitPolicy === "P" || hitPolicy === "O";
  if (ranks && outputs.every(({ priority }) => priority === undefined))
    problems.error("/outputs", `${hitPolicy} needs an output with its values in the order of priority`);
  for (const [index, { priority }] of outputs.entries()) {
    if (priority === undefined) continue;
    const path = `/outputs/${index}/priority`;
    if (!ranks) problems.error(path, `is only for the hit policies P and O, and the table has ${hitPolicy}`);
    const field = fields[index];
    const wrong = field && priority.find((value) => scalarOf(field.type, value) === undefined);
    if (wrong !== undefined && field !== undefined)
      problems.error(
        path,
        `${shown(wrong)} is not one of the ${typeNames[field.type]} that the output holds`,
      );
  }
}

/** What a row without an id is called. */
export function rowId(index: number): string {
  return `row-${index + 1}`;
}

interface RowContext {
  readonly shape: ContractShape;
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  readonly outputSchema: Schema;
}

interface Emitted {
  readonly cells: readonly OutputCell[];
  readonly emit: Emit;
  readonly isConstant: boolean;
}

/** A parsed cell; cells with the same text share one. */
type Parsed<Value, Cell> = { readonly value: Value; readonly cell: Cell } | { readonly problem: string };

class RowParser {
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
    for (const [index, cell] of cells.entries()) {
      const field = this.#context.outputs[index];
      const known = this.#outputs[index];
      if (field === undefined || known === undefined) continue;
      const parsed = remembered(known, cell, () => {
        const value = parseOutput(cell, resultColumn(field), this.#context.shape.references);
        if (value.kind === "computed") this.reads.push(...value.reads);
        return { value, cell: canonicalOutput(value, field) };
      });
      const place = path === "/default" ? `/default/${index}` : `${path}/then/${index}`;
      if ("problem" in parsed) {
        this.#problems.error(place, parsed.problem);
        continue;
      }
      values.push(parsed.value);
      canonical.push(parsed.cell);
      this.#checkPriority(parsed.value, index, place);
    }
    if (values.length < cells.length) return undefined;
    const isConstant = values.every(({ kind }) => kind !== "computed");
    const constants = values.map((value) => (value.kind === "constant" ? value.value : undefined));
    if (isConstant) {
      this.#check.check(constants, path);
      return { cells: canonical, isConstant, emit: () => constants };
    }
    const emit: Emit = (input, profile) =>
      values.map((value, index) =>
        value.kind === "computed" ? value.compute(input, profile) : constants[index],
      );
    return { cells: canonical, isConstant, emit };
  }

  #parseRow(row: ReadRow, index: number): void {
    const path = `/rules/${index}`;
    const id = this.#idOf(row, index);
    const conditions: Condition[] = [];
    const canonical: InputCell[] = [];
    for (const [at, cell] of row.if.entries()) {
      const column = this.#context.inputs[at];
      const known = this.#conditions[at];
      if (column === undefined || known === undefined) continue;
      const parsed = remembered(known, cell, () => {
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
    const { emit, isConstant } = emitted;
    this.rows.push({
      id,
      conditions,
      emit,
      isConstant,
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
    if (id === defaultId) this.#problems.error(path, `"${defaultId}" is the id of the default`);
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
        path,
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

function remembered<Value, Cell>(
  known: Map<Cell, Parsed<Value, Cell>>,
  cell: Cell,
  parse: () => Parsed<Value, Cell>,
): Parsed<Value, Cell> {
  const earlier = known.get(cell);
  if (earlier !== undefined) return earlier;
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
