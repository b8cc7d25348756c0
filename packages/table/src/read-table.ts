import {
  DecernError,
  type Decision,
  defineDecision,
  type InferInput,
  type InferOutput,
  type Logic,
  type Schema,
} from "@decern/core";
import { memberOf } from "@decern/core/schema";
import { rowWitnesses } from "./analysis/row-witnesses.js";
import { buildModel } from "./contract/build-model.js";
import { shapeOf, type TableContract } from "./contract/contract.js";
import { rowId } from "./contract/parse-rows.js";
import { contentOf, type Place, type TableDocument, type TableProblem } from "./document/document.js";
import { errorsOf, Problems } from "./document/problems.js";
import { readDocument } from "./document/read-document.js";
import { logicOf } from "./engine/logic.js";
import { FileError } from "./files/cells.js";
import { readTables, type TableSource } from "./files/read-file.js";
import type { SheetTable } from "./files/sheet-table.js";
import { remember, type TableModel } from "./model.js";
import { refuseOverlaps } from "./refuse-overlaps.js";

/** The decision that a table makes under its contract. */
export type TableDecision<Contract extends TableContract> = Decision<
  InferInput<Contract["inputSchema"]>,
  InferOutput<Contract["outputSchema"]>,
  InferInput<Contract["profileSchema"]>,
  Contract["id"]
>;

/** What {@link checkTable} found. */
export interface CheckedTable<Contract extends TableContract = TableContract> {
  /** `undefined` if there are errors. */
  readonly decision: TableDecision<Contract> | undefined;
  /** The canonical document, the same for JSON, CSV and XLSX; `undefined` if there are errors. */
  readonly document: TableDocument | undefined;
  /** Up to 100 errors, and as many warnings. */
  readonly problems: readonly TableProblem[];
}

/**
 * Reads a table from a file or parsed JSON, as a decision.
 *
 * @throws DecernError `INVALID_DECISION` with up to 100 problems, each with the place in the file
 */
export function readTable<Contract extends TableContract>(
  contract: Contract,
  source: TableSource,
): TableDecision<Contract> {
  return readPlaced(contract, source).decision;
}

/**
 * As {@link readTable}, with where parts of the document stand in the file.
 *
 * @throws DecernError as it does
 */
export function readPlaced<Contract extends TableContract>(
  contract: Contract,
  source: TableSource,
): { readonly decision: TableDecision<Contract>; placeOf(path: string): Place } {
  const { model, problems, placeOf } = readModel(contract, source);
  if (model === undefined) throw invalid(contract, problems);
  return { decision: decisionOf(contract, model), placeOf };
}

/**
 * Reads a table as {@link readTable} does, and returns what is wrong with it, warnings included.
 *
 * @throws DecernError `INVALID_DECISION` if the contract itself is wrong
 */
export function checkTable<Contract extends TableContract>(
  contract: Contract,
  source: TableSource,
): CheckedTable<Contract> {
  const { model, problems } = readModel(contract, source);
  if (model === undefined) return { decision: undefined, document: undefined, problems };
  return { decision: decisionOf(contract, model), document: model.document, problems };
}

/** The model is `undefined` if there are errors. */
function readModel(
  contract: TableContract,
  source: TableSource,
): {
  readonly model: TableModel | undefined;
  readonly problems: readonly TableProblem[];
  placeOf(path: string): Place;
} {
  const table = tableOf(contract.id, source);
  const problems = new Problems(table.placeOf);
  for (const { path, message, place } of table.problems) problems.error(path, message, place);
  const document = readDocument(table.document, problems);
  const model = document && buildModel(contract, document, problems);
  refuseDates(contract, table, problems);
  if (model !== undefined) refuseOverlaps(contract, model, problems);
  const { list, hasErrors } = problems;
  return { model: hasErrors ? undefined : model, problems: list, placeOf: table.placeOf };
}

function invalid({ id }: TableContract, problems: readonly TableProblem[]): DecernError {
  return new DecernError("INVALID_DECISION", {
    detail: JSON.stringify(id),
    problems: errorsOf(problems),
  });
}

/** What {@link readTableDocument} found. */
export interface ReadTableDocument {
  /** `undefined` if there are errors. */
  readonly document: TableDocument | undefined;
  readonly problems: readonly TableProblem[];
}

/**
 * Reads the document of a table without a contract: its form is checked, but not its cells.
 *
 * @param id - of the table, where the file has several
 */
export function readTableDocument(source: TableSource, id?: string): ReadTableDocument {
  const table = tableOf(id, source);
  const problems = new Problems(table.placeOf);
  for (const { path, message, place } of table.problems) problems.error(path, message, place);
  const document = readDocument(table.document, problems);
  const { list, hasErrors } = problems;
  if (document === undefined || hasErrors) return { document: undefined, problems: list };
  const rules = document.rules.flatMap((row, index) =>
    row === undefined ? [] : [{ ...row, id: row.id ?? rowId(index) }],
  );
  return { document: { ...document, rules }, problems: list };
}

/** The ids of the tables in a file; none for a file that isn't a table. */
export function tableIds(source: TableSource): readonly string[] {
  try {
    return readTables(source)
      .map(({ document }) => memberOf(document, "table"))
      .filter((id) => typeof id === "string");
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}

/** Of a document that a decision log kept, the same contract makes another program. */
function contractLogic(contract: TableContract, model: TableModel): Logic {
  return {
    ...logicOf(model, contentOf(model.document), (profile, now, logic) =>
      rowWitnesses(model, contract.inputSchema, profile, now, logic),
    ),
    from(document) {
      const { model: other, problems } = readModel(contract, { name: "document", document });
      if (other === undefined) throw invalid(contract, problems);
      return contractLogic(contract, other);
    },
  };
}

function decisionOf<Contract extends TableContract>(
  contract: Contract,
  model: TableModel,
): TableDecision<Contract> {
  const { id, description, meta, inputSchema, outputSchema, profileSchema } = contract;
  const decision = defineDecision<Schema, Schema, Schema, string>({
    id,
    version: model.document.version,
    description,
    meta,
    inputSchema,
    outputSchema,
    profileSchema,
    logic: contractLogic(contract, model),
  });
  remember(decision, model);
  // The schemas are the contract's, so their types are, too: TypeScript cannot infer through the parameter.
  return decision as unknown as TableDecision<Contract>;
}

function tableOf(id: string | undefined, source: TableSource): SheetTable {
  const broken = (message: string, at: FileError["place"] = {}): SheetTable => {
    const place: Place = { file: source.name, ...at };
    return { document: undefined, placeOf: () => place, problems: [{ path: "", message, place }], dates: [] };
  };
  let tables: readonly SheetTable[];
  try {
    tables = readTables(source);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return broken(error.message, error.place);
  }
  const [only, second] = tables;
  if (only !== undefined && second === undefined) return only;
  // Which of several is meant must be said.
  const ids = tables.map(({ document }) => memberOf(document, "table"));
  const [first, other] = tables.filter((_table, index) => ids[index] === id);
  if (first === undefined)
    return broken(
      `${id === undefined ? "has several tables" : `has no table "${id}"`}; its tables are ${ids.map(String).join(", ")}`,
    );
  return other === undefined ? first : broken(`has two tables "${id}"`);
}

/** What a spreadsheet made a date of, such as 1-5, is one only in a column of dates. */
function refuseDates(contract: TableContract, { dates, document }: SheetTable, problems: Problems): void {
  if (dates.length === 0) return;
  const shape = shapeOf(contract);
  for (const path of dates) {
    const [, kind, index] = /\/(if|then|default)\/(\d+)$/.exec(path) ?? [];
    if (kind === undefined) continue;
    const columns = memberOf(document, kind === "if" ? "inputs" : "outputs");
    const text: unknown = Array.isArray(columns) ? memberOf(columns[Number(index)], "path") : undefined;
    if (typeof text !== "string") continue;
    const names = text.split(".");
    const policy = memberOf(document, "hitPolicy");
    const field =
      kind === "if"
        ? shape.inputAt(names)
        : shape.outputAt(policy === "R" || policy === "O" || policy === "C" ? policy : "U", names);
    if (typeof field === "string" || field.type === "date" || field.type === "date-time") continue;
    problems.error(
      path,
      "is a date, because the spreadsheet made one of what was typed; format the cell as text and type it again",
    );
  }
}
