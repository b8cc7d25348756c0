import type { Decision, LogicContext } from "@decern/core";
import { program } from "@decern/core/tools";
import type { Column, Condition } from "./cells/condition.js";
import type { HitPolicy, OutputCell, TableDocument } from "./document/document.js";

/** A table that was parsed against its contract: what the engine, the analysis and the pages read. */
export interface TableModel extends TableConditions {
  readonly document: TableDocument;
  readonly hitPolicy: HitPolicy;
  readonly rows: readonly ModelRow[];
  /** The default; absent if the table has none. */
  readonly otherwise?: Emission | undefined;
  /** Fields of the input that what rows or the default emit depends on. */
  readonly reads: readonly (readonly string[])[];
}

/** What tells inputs apart. */
export interface TableConditions {
  readonly columns: readonly Column[];
  readonly rows: readonly RowConditions[];
}

/** The output cells of a row, or of the default. */
export interface Emission {
  readonly emit: Emit;
  /** Places of the output columns whose values depend on the input or the profile. */
  readonly computed: readonly number[];
  /** The values of the other output columns, by place. */
  readonly constants: readonly unknown[];
  /** The cells, where calculations that have the same result for every input are written alike. */
  readonly forms: readonly OutputCell[];
}

export interface ModelRow extends Emission, RowConditions {
  readonly id: string;
}

/** What an input must meet. */
export interface RowConditions {
  /** One per column. */
  readonly conditions: readonly Condition[];
  /** Milliseconds since the Unix epoch; the row is in force from `fromMs` until before `untilMs`. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** The values of a row's output cells, one per output column in their order. Pure. */
export type Emit = (input: unknown, profile: unknown, context: LogicContext) => readonly unknown[];

/** The models of decisions that tables make, by their content: a decision that was given a profile has the same. */
const models = new WeakMap<object, TableModel>();

export function remember(decision: Decision, model: TableModel): void {
  const { content } = decision[program];
  if (content !== undefined) models.set(content, model);
}

/** @returns `undefined` for a decision that no table makes */
export function modelOf(decision: Decision): TableModel | undefined {
  const { content } = decision[program];
  return content === undefined ? undefined : models.get(content);
}
