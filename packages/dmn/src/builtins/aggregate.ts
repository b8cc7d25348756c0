import { calculate } from "@decern/core/tools";
import { compare } from "../values/compare.js";
import { DaysDuration, MonthsDuration } from "../values/durations.js";
import type { Run } from "../values/run.js";
import type { FeelList, FeelValue } from "../values/value.js";
import { builtIn, overload, variadic } from "./define.js";
import { mean, orNone, sum } from "./numeric.js";

/** Each item takes a step: adding two numbers exactly takes as long as many others. */
function counted(list: FeelList, run: Run): FeelList {
  run.tick(list.length);
  return run.list(list);
}

/** A function of a list, which may also be given item by item. */
function ofItems(
  name: string,
  result: Parameters<typeof builtIn>[1],
  body: (list: FeelList, run: Run) => FeelValue | undefined,
) {
  return builtIn(
    name,
    result,
    overload([["list", "list"]], ([list], run) => body(counted(list, run), run)),
    variadic([["items", "list"]], ([items], run) => body(counted(items, run), run)),
  );
}

/** @returns undefined if an item is not a number */
function numbers(list: FeelList): readonly number[] | undefined {
  const found = list.filter((item) => typeof item === "number");
  return found.length === list.length ? found : undefined;
}

function ofNumbers(name: string, body: (values: readonly number[]) => FeelValue | undefined) {
  return ofItems(name, "number", (list) => {
    const values = numbers(list);
    return values === undefined ? undefined : body(values);
  });
}

/** @returns undefined if items can't be compared */
function extreme(list: FeelList, direction: 1 | -1, run: Run): FeelValue | undefined {
  if (list.length === 0) return null;
  let best = list[0] ?? null;
  if (compare(best, best, run) === undefined) return undefined;
  for (const item of list) {
    const order = compare(item, best, run);
    if (order === undefined) return undefined;
    if (order * direction > 0) best = item;
  }
  return best;
}

function total(list: FeelList): FeelValue | undefined {
  const values = numbers(list);
  if (values !== undefined) return list.length === 0 ? null : sum(values);
  const days = list.filter((item) => item instanceof DaysDuration);
  if (days.length === list.length)
    return DaysDuration.of(days.reduce((nanos, item) => nanos + item.nanos, 0n));
  const months = list.filter((item) => item instanceof MonthsDuration);
  if (months.length < list.length) return undefined;
  return MonthsDuration.of(months.reduce((sum, item) => sum + item.months, 0));
}

/** Three-valued, over a list: null if an item is not a boolean and no other decides. */
function junction(name: string, decides: boolean) {
  return ofItems(name, "boolean", (list) => {
    if (list.includes(decides)) return decides;
    return list.every((item) => item === !decides) ? !decides : null;
  });
}

function deviation(values: readonly number[]): number | undefined {
  const average = mean(values);
  if (average === undefined || values.length < 2) return undefined;
  return orNone(() => {
    const squares = values.map((value) => {
      const distance = calculate("-", value, average);
      return calculate("*", distance, distance);
    });
    const variance = calculate(
      "/",
      squares.reduce((all, square) => calculate("+", all, square), 0),
      values.length - 1,
    );
    return calculate("+", Math.sqrt(variance), 0);
  });
}

function median(values: readonly number[]): number | null | undefined {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : mean([sorted[middle - 1] ?? 0, upper]);
}

function modes(values: readonly number[]): FeelList {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(0, ...new Set(counts.values()));
  return [...counts].flatMap(([value, count]) => (count === most ? [value] : [])).sort((a, b) => a - b);
}

/** Functions that make one value of many, which may be given as a list or one by one. */
export const aggregateFunctions = [
  ofItems("min", "any", (list, run) => extreme(list, -1, run)),
  ofItems("max", "any", (list, run) => extreme(list, 1, run)),
  ofItems("sum", "number", total),
  ofNumbers("mean", mean),
  ofNumbers("product", (values) =>
    values.length === 0 ? null : orNone(() => values.reduce((all, value) => calculate("*", all, value), 1)),
  ),
  ofNumbers("median", median),
  ofNumbers("stddev", deviation),
  ofNumbers("mode", modes),
  junction("all", false),
  junction("any", true),
];
