import type { LogicThreshold } from "@decern/core";
import { escapePointer } from "@decern/core/schema";
import type { Endpoint } from "../cells/condition.js";
import type { TableModel } from "../model.js";
import { axisOf } from "./axis.js";
import type { Dimension } from "./dimensions.js";
import { rawValue } from "./raw-value.js";
import { valueSetOf } from "./value-set.js";

/** Where the result may change along each field that conditions or outputs read, under a profile. */
export function thresholdsOf(
  model: TableModel,
  dimensions: readonly Dimension[],
  profile: unknown,
): readonly LogicThreshold[] {
  const referred = new Set([
    ...dimensions.flatMap(({ conditions }) =>
      conditions.flatMap((condition) => (condition.kind === "any" ? [] : condition.tests.flatMap(inputsOf))),
    ),
    ...model.reads.map(pointerOf),
  ]);
  const pointers = new Map<string, Dimension[]>();
  for (const dimension of dimensions) {
    if (dimension.isTime) continue;
    const pointer = pointerOf(dimension.column.path);
    pointers.set(pointer, [...(pointers.get(pointer) ?? []), dimension]);
  }
  const others = [...referred].filter((path) => !pointers.has(path));
  const columns = [...pointers].flatMap(([path, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const sets = own.flatMap(({ column, conditions }) =>
      conditions.map((condition) => valueSetOf(condition, column, profile)),
    );
    const known = sets.filter((set) => set !== undefined);
    const { type } = first.column;
    return {
      path,
      values: axisOf(first.column, known).marks.map((mark) => rawValue(type, mark)),
      isComplete: known.length === sets.length && !referred.has(path),
    };
  });
  return [...columns, ...others.map((path) => ({ path, values: [], isComplete: false }))];
}

type AnyTest = Extract<Dimension["conditions"][number], { kind: "tests" }>["tests"][number];

function inputsOf(test: AnyTest): readonly string[] {
  const endpoints: readonly Endpoint[] =
    test.kind === "null" ? [] : test.kind === "interval" ? [test.low, test.high] : [test.endpoint];
  return endpoints.flatMap((endpoint) =>
    endpoint.kind === "reference" && endpoint.root === "input" ? [pointerOf(endpoint.path)] : [],
  );
}

function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${escapePointer(name)}`).join("");
}
