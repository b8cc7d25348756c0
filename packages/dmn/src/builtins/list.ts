import { compare, equals } from "../values/compare.js";
import type { Run } from "../values/run.js";
import { type FeelList, type FeelValue, isList } from "../values/value.js";
import { builtIn, overload, variadic } from "./define.js";

function isSame(a: FeelValue, b: FeelValue, run: Run): boolean {
  return equals(a, b, run) === true;
}

function distinct(list: FeelList, run: Run): FeelList {
  const found: FeelValue[] = [];
  for (const item of list) {
    if (!found.some((other) => isSame(item, other, run))) found.push(item);
  }
  return found;
}

function flattened(list: FeelList, run: Run, into: FeelValue[] = []): FeelList {
  for (const item of list) {
    run.tick();
    if (isList(item)) flattened(item, run, into);
    else into.push(item);
    if (into.length > run.limits.list) run.listLength(into.length);
  }
  return into;
}

/** An item stands for a list of it. @returns undefined if a list is null */
function concatenated(lists: FeelList, run: Run): FeelList | undefined {
  if (lists.includes(null)) return undefined;
  run.listLength(lists.reduce((length: number, list) => length + (isList(list) ? list.length : 1), 0));
  return lists.flatMap((list) => (isList(list) ? list : [list]));
}

/** Where a position from 1, or from -1 at the end, is. @returns undefined outside of the list */
function indexOf(list: FeelList, position: number): number | undefined {
  const whole = Math.trunc(position);
  const index = whole > 0 ? whole - 1 : list.length + whole;
  if (whole === 0) return undefined;
  return index >= 0 && index < list.length ? index : undefined;
}

function sublist(list: FeelList, start: number, length: number | null): FeelList | undefined {
  const index = indexOf(list, start);
  if (index === undefined) return undefined;
  if (length === null) return list.slice(index);
  if (length < 0 || index + Math.trunc(length) > list.length) return undefined;
  return list.slice(index, index + Math.trunc(length));
}

/** By a comparison of the model, which may contradict itself: a merge takes n log n calls whatever it returns. */
function sorted(list: FeelList, isBefore: (a: FeelValue, b: FeelValue) => boolean): FeelList {
  if (list.length < 2) return list;
  const middle = list.length >> 1;
  const left = sorted(list.slice(0, middle), isBefore);
  const right = sorted(list.slice(middle), isBefore);
  const merged: FeelValue[] = [];
  let [at, other] = [0, 0];
  while (at < left.length && other < right.length) {
    const [a = null, b = null] = [left[at], right[other]];
    if (isBefore(b, a)) {
      merged.push(b);
      other += 1;
    } else {
      merged.push(a);
      at += 1;
    }
  }
  return [...merged, ...left.slice(at), ...right.slice(other)];
}

export const listFunctions = [
  builtIn(
    "list contains",
    "boolean",
    overload(
      [
        ["list", "list"],
        ["element", "any"],
      ],
      ([list, element], run) => list.some((item) => isSame(item, element, run)),
    ),
  ),
  builtIn(
    "count",
    "number",
    overload([["list", "list"]], ([list]) => list.length),
  ),
  builtIn(
    "sublist",
    "list",
    overload(
      [
        ["list", "list"],
        ["start position", "number"],
        ["length", "number?"],
      ],
      ([list, start, length], run) => sublist(run.list(list), start, length),
    ),
  ),
  builtIn(
    "append",
    "list",
    variadic(
      [
        ["list", "list"],
        ["item", "list"],
      ],
      ([list, items], run) => {
        run.listLength(list.length + items.length);
        return [...list, ...items];
      },
    ),
  ),
  builtIn(
    "concatenate",
    "list",
    variadic([["list", "list"]], ([lists], run) => concatenated(lists, run)),
  ),
  builtIn(
    "insert before",
    "list",
    overload(
      [
        ["list", "list"],
        ["position", "number"],
        ["newItem", "any"],
      ],
      ([list, position, item], run) => {
        const index = indexOf(list, position);
        run.listLength(list.length + 1);
        return index === undefined ? undefined : list.toSpliced(index, 0, item);
      },
    ),
  ),
  builtIn(
    "remove",
    "list",
    overload(
      [
        ["list", "list"],
        ["position", "number"],
      ],
      ([list, position], run) => {
        const index = indexOf(run.list(list), position);
        return index === undefined ? undefined : list.toSpliced(index, 1);
      },
    ),
  ),
  builtIn(
    "list replace",
    "list",
    overload(
      [
        ["list", "list"],
        ["position", "number"],
        ["newItem", "any"],
      ],
      ([list, position, item], run) => {
        const index = indexOf(run.list(list), position);
        return index === undefined ? undefined : list.with(index, item);
      },
    ),
    overload(
      [
        ["list", "list"],
        ["match", "function"],
        ["newItem", "any"],
      ],
      ([list, match, item], run) => {
        const results = list.map((old) => match.call([old, item], run));
        if (!results.every((result) => typeof result === "boolean")) return undefined;
        return list.map((old, index) => (results[index] === true ? item : old));
      },
    ),
  ),
  builtIn(
    "reverse",
    "list",
    overload([["list", "list"]], ([list], run) => run.list(list).toReversed()),
  ),
  builtIn(
    "index of",
    "list",
    overload(
      [
        ["list", "list"],
        ["match", "any"],
      ],
      ([list, match], run) => list.flatMap((item, index) => (isSame(item, match, run) ? [index + 1] : [])),
    ),
  ),
  builtIn(
    "union",
    "list",
    variadic([["list", "list"]], ([lists], run) => {
      const items = concatenated(lists, run);
      return items === undefined ? undefined : distinct(items, run);
    }),
  ),
  builtIn(
    "distinct values",
    "list",
    overload([["list", "list"]], ([list], run) => distinct(list, run)),
  ),
  builtIn(
    "flatten",
    "list",
    overload([["list", "list"]], ([list], run) => flattened(list, run)),
  ),
  builtIn(
    "sort",
    "list",
    overload(
      [
        ["list", "list"],
        ["precedes", "function"],
      ],
      ([list, precedes], run) => {
        if (precedes.parameters.length !== 2) return undefined;
        run.listLength(list.length);
        return sorted(list, (a, b) => precedes.call([a, b], run) === true);
      },
    ),
    overload([["list", "list"]], ([list], run) => {
      const first = list[0] ?? null;
      if (list.some((item) => compare(item, first, run) === undefined)) return undefined;
      return sorted(list, (a, b) => (compare(a, b, run) ?? 0) < 0);
    }),
  ),
];
