import type { Logic, LogicContent, LogicContext, Schema } from "@decern/core";
import { analyzeModel } from "./analysis/analyze.js";
import type { TableAnalysis } from "./analysis/findings.js";
import type { Condition } from "./cells/condition.js";
import { buildModel } from "./contract/build-model.js";
import type { TableContract } from "./contract/contract.js";
import { contentOf, type InputCell, type TableProblem } from "./document/document.js";
import { Problems } from "./document/problems.js";
import { readDocument } from "./document/read-document.js";
import { reasonOf } from "./engine/cell-reasons.js";
import { type Dimension, dimensionsOf } from "./engine/dimensions.js";
import { logicOf } from "./engine/logic.js";
import { type Meets, meetsOf } from "./engine/meets.js";
import type { TableModel } from "./model.js";
import type { TableCall } from "./table-result.js";

/** How a table looks to one call. */
export interface TableMarks {
  /** Per input column, by cell of the document: `""` where the call meets the cell, else why it does not, such as `601 < 620`. */
  readonly columns: readonly ReadonlyMap<InputCell, string>[];
  /** Ids of the rows that the call meets, in table order. The default is one where no other is met. */
  readonly met: readonly string[];
  /** Ids of the rows that decide, in the order of the result; `undefined` where the policy refuses what was met. */
  readonly decide: readonly string[] | undefined;
  /** Ids of the rows that are not in force at the instant of the call. */
  readonly notInForce: readonly string[];
}

/** A table that tools show: parsed once, and then asked. */
export interface OpenTable {
  /** The canonical document, and its hash: whatever the form in which the cells were written. */
  readonly content: LogicContent;
  /** Its program, which {@link tableEvaluator} evaluates calls with. */
  readonly logic: Logic;
  /** Marks the cells. The rows that are met are found by what evaluates calls. */
  mark(call: TableCall): TableMarks;
  /** As `analyzeTable` does. @param profile - what rows refer to */
  analyze(profile: unknown): TableAnalysis;
}

/**
 * Opens the document of a table, for tools that show it, in browsers too.
 *
 * @returns what is wrong with a document that does not keep to its contract: up to 100 errors, without places in a file
 */
export function openTable(
  contract: TableContract,
  content: LogicContent,
): OpenTable | { readonly problems: readonly TableProblem[] } {
  const problems = new Problems(() => ({ file: "document" }));
  const document = readDocument(content.document, problems);
  const model = document && buildModel(contract, document, problems);
  if (document === undefined || model === undefined || problems.hasErrors)
    return { problems: problems.list.filter(({ severity }) => severity === "error") };
  const rules = document.rules.flatMap((row) => row ?? []);
  return new ParsedTable(contract, model, rules);
}

/** A cell that is different from all others of its column. */
interface Cell {
  readonly cell: InputCell;
  readonly condition: Condition;
  readonly meets: Meets;
}

class ParsedTable implements OpenTable {
  readonly #contract: TableContract;
  readonly #model: TableModel;
  readonly #logic: ReturnType<typeof logicOf>;
  readonly #dimensions: readonly Dimension[];
  /** Per column. */
  readonly #cells: readonly (readonly Cell[])[];
  #content: LogicContent | undefined;

  constructor(
    contract: TableContract,
    model: TableModel,
    rules: readonly { readonly if: readonly InputCell[] }[],
  ) {
    this.#contract = contract;
    this.#model = model;
    // Marks of cells need no hash.
    this.#logic = logicOf(model, { hash: "", mediaType: "", document: model.document });
    this.#dimensions = dimensionsOf(model);
    this.#cells = model.columns.map((column, at) => {
      const cells = new Map<InputCell, Cell>();
      for (const [row, { conditions }] of model.rows.entries()) {
        const cell = rules[row]?.if[at];
        const condition = conditions[at];
        if (cell !== undefined && condition !== undefined && !cells.has(cell))
          cells.set(cell, { cell, condition, meets: meetsOf(condition, column) });
      }
      return [...cells.values()];
    });
  }

  get content(): LogicContent {
    this.#content ??= contentOf(this.#model.document);
    return this.#content;
  }

  get logic(): Logic {
    return { ...this.#logic, content: this.content };
  }

  mark(call: TableCall): TableMarks {
    const { nowMs } = call;
    const input = validOrSame(this.#contract.inputSchema, call.input);
    const profile = validOrSame(this.#contract.profileSchema, call.profile);
    const context: LogicContext = { now: new Date(nowMs), requestId: "", caller: undefined };
    const bound = this.#logic.bind(profile);
    const columns = this.#model.columns.map((column, at) => {
      const value = this.#dimensions[at]?.valueOf(input, nowMs);
      const cells = this.#cells[at] ?? [];
      return new Map(
        cells.map(({ cell, condition, meets }) => {
          const isMet = meets(value, input, profile);
          return [cell, isMet ? "" : reasonOf(condition, column, value, input, profile)];
        }),
      );
    });
    const isInForce = ({ fromMs = -Infinity, untilMs = Infinity }) => nowMs >= fromMs && nowMs < untilMs;
    return {
      columns,
      met: bound.hits(input, context).map(({ ruleId }) => ruleId),
      decide: decidersOf(() => bound.decide(input, context)),
      notInForce: this.#model.rows.filter((row) => !isInForce(row)).map(({ id }) => id),
    };
  }

  analyze(profile: unknown): TableAnalysis {
    const valid = validOrSame(this.#contract.profileSchema, profile);
    return analyzeModel(this.#model, this.#contract, { profile: valid, budget: 20_000_000, limit: 100 });
  }
}

function decidersOf(
  decide: () => ReturnType<ReturnType<ReturnType<typeof logicOf>["bind"]>["decide"]>,
): readonly string[] | undefined {
  try {
    return decide()?.hits.map(({ ruleId }) => ruleId) ?? [];
  } catch {
    // What policies refuse is theirs to say in an evaluation; the rows that are met show it.
    return undefined;
  }
}

/** What validation makes of a value. What it refuses is marked as it is: a page shows it next to the refusal. */
function validOrSame({ "~standard": { validate } }: Schema, value: unknown): unknown {
  const result = validate(value);
  return result instanceof Promise || result.issues !== undefined ? value : result.value;
}
