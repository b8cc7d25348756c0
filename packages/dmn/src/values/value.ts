import { DaysDuration, MonthsDuration } from "./durations.js";
import type { Run } from "./run.js";
import { FeelDate, FeelDateTime, FeelTime } from "./temporal.js";
import type { Zone } from "./zone.js";

/** A value of FEEL. */
export type FeelValue =
  | null
  | boolean
  | number
  | string
  | FeelDate
  | FeelTime
  | FeelDateTime
  | DaysDuration
  | MonthsDuration
  | FeelRange
  | FeelFunction
  | FeelList
  | FeelContext;

export type FeelList = readonly FeelValue[];
export type FeelContext = ReadonlyMap<string, FeelValue>;

/** Values between two ends. An end that is undefined is open without limit; with one that is null, nothing can be compared. */
export class FeelRange {
  readonly start: FeelValue | undefined;
  readonly startIncluded: boolean;
  readonly end: FeelValue | undefined;
  readonly endIncluded: boolean;
  /** Whether it is `(= x)`, which is not equal to `[x..x]`. */
  readonly isPoint: boolean;

  constructor(
    start: FeelValue | undefined,
    startIncluded: boolean,
    end: FeelValue | undefined,
    endIncluded: boolean,
    isPoint = false,
  ) {
    this.start = start;
    this.startIncluded = startIncluded;
    this.end = end;
    this.endIncluded = endIncluded;
    this.isPoint = isPoint;
  }
}

/** A type of FEEL, or of an item definition. */
export type Type =
  | { readonly kind: "any" | ScalarKind }
  | { readonly kind: "list" | "range"; readonly of: Type }
  | { readonly kind: "context"; readonly entries: ReadonlyMap<string, Type> }
  | { readonly kind: "function"; readonly parameters: readonly Type[]; readonly result: Type }
  | {
      readonly kind: "restricted";
      readonly base: Type;
      /** As the model has it, in unary tests. */
      readonly tests: string;
      /** What allowed values and type constraints say of a value of the base. */
      readonly allows: (value: FeelValue, run: Run) => boolean;
    };

export interface Parameter {
  readonly name: string;
  readonly type: Type;
}

/** A function: built in, of an expression, a business knowledge model or a decision service. */
export class FeelFunction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly result: Type;
  readonly #call: (args: readonly FeelValue[], run: Run) => FeelValue;
  readonly #callNamed: (args: ReadonlyMap<string, FeelValue>, run: Run) => FeelValue;

  constructor(parts: {
    readonly name: string;
    readonly parameters: readonly Parameter[];
    readonly result: Type;
    readonly call: (args: readonly FeelValue[], run: Run) => FeelValue;
    readonly callNamed: (args: ReadonlyMap<string, FeelValue>, run: Run) => FeelValue;
  }) {
    this.name = parts.name;
    this.parameters = parts.parameters;
    this.result = parts.result;
    this.#call = parts.call;
    this.#callNamed = parts.callNamed;
  }

  /** @throws LimitError */
  call(args: readonly FeelValue[], run: Run): FeelValue {
    return this.#call(args, run);
  }

  /** @throws LimitError */
  callNamed(args: ReadonlyMap<string, FeelValue>, run: Run): FeelValue {
    return this.#callNamed(args, run);
  }
}

export function isList(value: FeelValue | undefined): value is FeelList {
  return Array.isArray(value);
}

export function isContext(value: FeelValue | undefined): value is FeelContext {
  return value instanceof Map;
}

/** The zone of a time or a date-time. */
export function zoneOf(value: FeelValue): Zone | undefined {
  if (value instanceof FeelTime) return value.zone;
  return value instanceof FeelDateTime ? value.time.zone : undefined;
}

export type ScalarKind =
  | "null"
  | "boolean"
  | "number"
  | "string"
  | "date"
  | "time"
  | "date and time"
  | "days and time duration"
  | "years and months duration";

export type Kind = ScalarKind | "range" | "function" | "list" | "context";

export function kindOf(value: FeelValue): Kind {
  if (value === null) return "null";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (isList(value)) return "list";
  if (value instanceof FeelDate) return "date";
  if (value instanceof FeelDateTime) return "date and time";
  if (value instanceof FeelTime) return "time";
  if (value instanceof DaysDuration) return "days and time duration";
  if (value instanceof MonthsDuration) return "years and months duration";
  if (value instanceof FeelRange) return "range";
  return value instanceof FeelFunction ? "function" : "context";
}
