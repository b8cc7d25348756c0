import type { LogicContext } from "@decern/core";
import type { Column, Condition } from "./cells/condition.js";
import type { HitPolicy, OutputCell, TableDocument } from "./document/document.js";

/** A table that was parsed against its contract: what the engine, the analysis and the pages read. */
export interface TableModel {
  readonly document: TableDocument;
  readonly hitPolicy: HitPolicy;
  readonly columns: readonly Column[];
  readonly rows: readonly ModelRow[];
  /** Emits the default; absent if the table has none. */
  readonly emitDefault?: Emit | undefined;
  /** As in a row; absent if the table has no default. */
  readonly defaultForms?: readonly OutputCell[] | undefined;
  /** Fields of the input that what rows or the default emit depends on. */
  readonly reads: readonly (readonly string[])[];
}

export interface ModelRow {
  readonly id: string;
  /** One per column. */
  readonly conditions: readonly Condition[];
  readonly emit: Emit;
  /** Whether what it emits depends on the input or the profile. */
  readonly isConstant: boolean;
  /** Its output cells, where calculations that have the same result for every input are written alike. */
  readonly forms: readonly OutputCell[];
  /** Milliseconds since the Unix epoch; the row is in force from `fromMs` until before `untilMs`. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** The values of a row's output cells, one per output column in their order. Pure. */
export type Emit = (input: unknown, profile: unknown, context: LogicContext) => readonly unknown[];
