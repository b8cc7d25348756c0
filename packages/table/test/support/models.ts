import type { Column, Condition, Endpoint, Scalar, Test } from "../../src/cells/condition.js";
import type { HitPolicy, OutputCell, TableDocument } from "../../src/document/document.js";
import type { ModelRow, TableModel } from "../../src/model.js";

export const any: Condition = { kind: "any" };

export function column(path: string, parts: Partial<Column> = {}): Column {
  return { path: path.split("."), type: "number", isNullable: false, isInteger: false, ...parts };
}

export function literal(value: Scalar): Endpoint {
  return { kind: "literal", value };
}

export function reference(root: "profile" | "input", path: string): Endpoint {
  return { kind: "reference", root, path: path.split(".") };
}

export function when(...tests: readonly Test[]): Condition {
  return { kind: "tests", isNegated: false, tests };
}

export function not(...tests: readonly Test[]): Condition {
  return { kind: "tests", isNegated: true, tests };
}

type Operator = Extract<Test, { kind: "compare" }>["operator"];

export function is(operator: Operator, endpoint: Endpoint | Scalar): Test {
  return { kind: "compare", operator, endpoint: typeof endpoint === "object" ? endpoint : literal(endpoint) };
}

export const isNull: Test = { kind: "null" };

/** `[1..2)` as `between("[", 1, 2, ")")`. */
export function between(open: "[" | "(", low: number, high: number, close: "]" | ")"): Test {
  return {
    kind: "interval",
    low: literal(low),
    isLowClosed: open === "[",
    high: literal(high),
    isHighClosed: close === "]",
  };
}

export interface RowParts {
  readonly if: readonly Condition[];
  readonly out: readonly OutputCell[];
  readonly fromMs?: number;
  readonly untilMs?: number;
  readonly emit?: ModelRow["emit"];
}

/** A model whose rows are `r1`, `r2` and so on. Its document has the conditions as `-`, since nothing here reads them. */
export function modelOf(
  hitPolicy: HitPolicy,
  columns: readonly Column[],
  rows: readonly RowParts[],
  parts: {
    readonly outputs?: TableDocument["outputs"];
    readonly default?: readonly OutputCell[];
    readonly reads?: TableModel["reads"];
  } = {},
): TableModel {
  const { outputs = [{ path: "out" }], default: fallback, reads = [] } = parts;
  return {
    document: {
      table: "test",
      version: "1",
      hitPolicy,
      inputs: columns.map(({ path }) => ({ path: path.join(".") })),
      outputs,
      rules: rows.map((row, index) => ({
        id: `r${index + 1}`,
        if: row.if.map(() => "-"),
        then: row.out,
      })),
      ...(fallback === undefined ? {} : { default: fallback }),
    },
    hitPolicy,
    columns,
    rows: rows.map(({ if: conditions, out, emit, fromMs, untilMs }, index) => ({
      id: `r${index + 1}`,
      conditions,
      emit: emit ?? (() => out),
      computed: emit === undefined ? [] : [...out.keys()],
      constants: out,
      forms: out,
      fromMs,
      untilMs,
    })),
    reads,
    otherwise:
      fallback === undefined
        ? undefined
        : { emit: () => fallback, computed: [], constants: fallback, forms: fallback },
  };
}
