/** What an input column holds, as the input schema says. Decides how cells are read and compared. */
export type ColumnType = "number" | "text" | "boolean" | "date" | "date-time" | "duration";

/** One input column of a table. */
export interface Column {
  readonly path: readonly string[];
  readonly type: ColumnType;
  /** Whether an input can lack the field, or have `null` there. */
  readonly isNullable: boolean;
  /** The members of an enum of texts, numbers or booleans. */
  readonly members?: readonly Scalar[] | undefined;
  /** Bounds of the schema, on the column's {@link Scalar} axis. */
  readonly minimum?: Bound | undefined;
  readonly maximum?: Bound | undefined;
  /** Whether only whole numbers pass the schema. */
  readonly isInteger: boolean;
  /** Every value is a multiple of this, where the schema says so. */
  readonly multipleOf?: number | undefined;
}

export interface Bound {
  readonly value: number;
  readonly isClosed: boolean;
}

/**
 * A value on the axis of its column: a number for numbers, dates (days since 1970-01-01), date-times (milliseconds since the Unix
 * epoch, UTC) and durations (milliseconds), else the text or boolean itself.
 */
export type Scalar = number | string | boolean;

/** A parsed input cell. */
export type Condition =
  | { readonly kind: "any" }
  | { readonly kind: "tests"; readonly isNegated: boolean; readonly tests: readonly Test[] };

/** One test; a condition holds if any of its tests does. An absent value meets only `null`, `any`, and negations without `null`. */
export type Test =
  | { readonly kind: "null" }
  | {
      readonly kind: "compare";
      readonly operator: "<" | "<=" | ">" | ">=" | "=" | "!=";
      readonly endpoint: Endpoint;
    }
  | {
      readonly kind: "interval";
      readonly low: Endpoint;
      readonly isLowClosed: boolean;
      readonly high: Endpoint;
      readonly isHighClosed: boolean;
    };

export type Endpoint =
  | { readonly kind: "literal"; readonly value: Scalar }
  /** Read when a call is evaluated; `profile` ones are known once a profile is bound. */
  | { readonly kind: "reference"; readonly root: "profile" | "input"; readonly path: readonly string[] };

/** What a column's value may be, once references are known: what the index and the analysis compute with. */
export type ValueSet =
  /** Disjoint intervals in ascending order. */
  | { readonly kind: "intervals"; readonly intervals: readonly Interval[]; readonly hasNull: boolean }
  /** These values, or all others. */
  | {
      readonly kind: "values";
      readonly values: ReadonlySet<Scalar>;
      readonly isComplement: boolean;
      readonly hasNull: boolean;
    };

/** Infinite ends are open. */
export interface Interval {
  readonly low: number;
  readonly isLowClosed: boolean;
  readonly high: number;
  readonly isHighClosed: boolean;
}
