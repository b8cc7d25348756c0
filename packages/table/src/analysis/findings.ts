/** What an analysis of a table found. */
export interface TableAnalysis {
  /** Rows that an input meets together. */
  readonly overlaps: readonly TableOverlap[];
  /** What no row covers, in a table without a default. Boxes are disjoint. */
  readonly gaps: readonly TableGap[];
  /** Rows that never decide. */
  readonly masked: readonly MaskedRow[];
  /** Rows with the same conditions and the same outputs. */
  readonly duplicates: readonly DuplicateRows[];
  /** Values that the output schema lists and no row returns. */
  readonly unreachable: readonly UnreachableOutput[];
  /** Rows that could be one: they differ in one column only. */
  readonly mergeable: readonly MergeableRows[];
  /** What could not be decided. Where it names a part, that part's list may lack some. */
  readonly undecided: readonly Undecided[];
}

export interface TableOverlap {
  /** Ids of two rows. */
  readonly rules: readonly [string, string];
  /** Whether the policy forbids it: for `U` always, for `A` if the outputs differ. */
  readonly isError: boolean;
  /** An input that meets both, and passes validation. */
  readonly witness: unknown;
  /** ISO 8601 instant at which it does, where rows aren't always in force. */
  readonly now?: string;
}

export interface TableGap {
  /** One condition per input column, as cells of a row that would close the gap. */
  readonly box: readonly string[];
  /** ISO 8601 instants, if the gap isn't always there. */
  readonly from?: string;
  readonly until?: string;
  /** An input that meets no row, and passes validation. */
  readonly witness: unknown;
  readonly now?: string;
}

export interface MaskedRow {
  readonly rule: string;
  /** Ids of rows that always come before it. Empty if no input meets the row's own conditions. */
  readonly by: readonly string[];
}

export interface DuplicateRows {
  readonly rules: readonly string[];
}

export interface UnreachableOutput {
  /** Path of the output column. */
  readonly path: string;
  readonly value: string | number | boolean;
}

export interface MergeableRows {
  readonly rules: readonly string[];
  /** Path of the column that they differ in; absent if they differ in when they are in force. */
  readonly path?: string;
  /** What the one row would have there. */
  readonly cell?: string;
}

export interface Undecided {
  readonly part: "overlaps" | "gaps" | "masked" | "unreachable" | "mergeable";
  /** Ids of rows that it is about, where it is about some. */
  readonly rules?: readonly string[];
  /** Why, in a sentence. */
  readonly message: string;
}
