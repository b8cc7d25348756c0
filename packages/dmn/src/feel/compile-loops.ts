import type { NodeOf } from "../syntax/node.js";
import type { Run, SourcePlace } from "../values/run.js";
import { FeelDate } from "../values/temporal.js";
import { type FeelList, FeelRange, type FeelValue, isList } from "../values/value.js";
import { type Compiling, mentions } from "./compiling.js";
import { propertyOf } from "./properties.js";
import { type Evaluate, Frame, type Scope } from "./scope.js";

type LoopNode = NodeOf<"for" | "some" | "every">;

/** Each name of a loop has a scope of its own, which later ones see. */
function compileIterations(node: LoopNode, scope: Scope, compiling: Compiling) {
  let inner = scope;
  const iterations = node.iterations.map(({ name, from, to }) => {
    const compiled = {
      from: compiling.compile(from, inner),
      to: to === undefined ? undefined : compiling.compile(to, inner),
    };
    inner = inner.with([{ name }]);
    return compiled;
  });
  return { iterations, inner };
}

export function compileLoop(node: LoopNode, scope: Scope, compiling: Compiling): Evaluate {
  const { iterations, inner } = compileIterations(node, scope, compiling);
  const body = compiling.compile(node.body, node.kind === "for" ? inner.with([{ name: "partial" }]) : inner);
  const place = compiling.placeOf(node);
  return node.kind === "for"
    ? compileForOf(iterations, body, mentions(node.body, "partial"), place)
    : compileQuantifiedOf(node.kind, iterations, body, false, place);
}

/**
 * @param body - in a scope that has `partial` besides the names of the iterations
 * @param readsPartial - whether the body may read the results so far
 */
export function compileForOf(
  iterations: readonly CompiledIteration[],
  body: Evaluate,
  readsPartial: boolean,
  place: SourcePlace,
): Evaluate {
  return (frame) => {
    const { run } = frame;
    const results: FeelValue[] = [];
    const isComplete = iterate(iterations, frame, (current) => {
      if (results.length >= run.limits.list) run.listLength(results.length + 1);
      // What an iteration keeps of the results must not change later.
      const partial: FeelList = readsPartial ? [...run.list(results)] : [];
      results.push(body(new Frame(current, [partial], run)));
      return true;
    });
    return isComplete ? results : run.warn("WRONG_TYPE", "nothing to iterate over", place);
  };
}

/**
 * Three-valued: null if a condition is unknown and no other decides.
 *
 * @param isStrict - whether a condition that is neither boolean nor null makes the whole null
 */
export function compileQuantifiedOf(
  kind: "some" | "every",
  iterations: readonly CompiledIteration[],
  body: Evaluate,
  isStrict: boolean,
  place: SourcePlace,
): Evaluate {
  const decides = kind === "some";
  return (frame) => {
    let result: boolean | null = !decides;
    const isComplete = iterate(iterations, frame, (current) => {
      const condition = body(current);
      if (condition === decides) {
        result = decides;
        return false;
      }
      if (typeof condition === "boolean") return true;
      result = null;
      return isConditionIn(condition, frame.run, place) || !isStrict;
    });
    return isComplete || result === decides
      ? result
      : frame.run.warn("WRONG_TYPE", "nothing to iterate over", place);
  };
}

export function compileFilter(node: NodeOf<"filter">, scope: Scope, compiling: Compiling): Evaluate {
  const list = compiling.compile(node.of, scope);
  const condition = compiling.compile(node.condition, scope.ofItem());
  return compileFilterOf(list, condition, false, compiling.placeOf(node));
}

/**
 * @param condition - in the scope of an item
 * @param isStrict - whether a condition that is neither boolean nor null makes the whole null
 */
export function compileFilterOf(
  list: Evaluate,
  condition: Evaluate,
  isStrict: boolean,
  place: SourcePlace,
): Evaluate {
  return (frame) => {
    const { run } = frame;
    const value = list(frame);
    const items = isList(value) ? value : value === null ? [] : [value];
    const first = condition(new Frame(frame, [items[0] ?? null], run));
    // A number is a position, whatever the item.
    if (typeof first === "number") {
      const item = itemAt(items, first);
      return item === undefined ? run.warn("INVALID_VALUE", `a list has no item ${first}`, place) : item;
    }
    const results: FeelValue[] = [];
    for (const [index, item] of items.entries()) {
      run.tick();
      const holds = index === 0 ? first : condition(new Frame(frame, [item], run));
      if (holds === true) results.push(item);
      else if (!isConditionIn(holds, run, place) && isStrict) return null;
    }
    return results;
  };
}

/** Whether a value can be a condition; if not, with a warning. */
function isConditionIn(value: FeelValue, run: Run, place: SourcePlace): boolean {
  if (value === null || typeof value === "boolean") return true;
  run.warn("WRONG_TYPE", "a condition that is not a boolean", place);
  return false;
}

/** @param position - from 1, or from -1 at the end */
function itemAt(items: FeelList, position: number): FeelValue | undefined {
  if (!Number.isInteger(position) || position === 0) return undefined;
  return position > 0 ? items[position - 1] : items[items.length + position];
}

export function compilePath(node: NodeOf<"path">, scope: Scope, compiling: Compiling): Evaluate {
  const of = compiling.compile(node.of, scope);
  const { name } = node;
  const place = compiling.placeOf(node);
  return (frame) => {
    const { run } = frame;
    run.tick();
    const value = of(frame);
    if (isList(value)) {
      run.list(value);
      return value.map((item) => propertyOf(item, name) ?? null);
    }
    const property = propertyOf(value, name);
    return property === undefined
      ? run.warn("UNKNOWN_NAME", `no property ${JSON.stringify(name)}`, place)
      : property;
  };
}

interface CompiledIteration {
  readonly from: Evaluate;
  readonly to: Evaluate | undefined;
}

/** The combinations of a loop, later names first. @returns false if a name has nothing to iterate over */
function iterate(
  iterations: readonly CompiledIteration[],
  frame: Frame,
  visit: (frame: Frame) => boolean,
): boolean {
  return next(iterations, 0, frame, visit) !== undefined;
}

/** @returns whether to continue; undefined if a name has nothing to iterate over */
function next(
  iterations: readonly CompiledIteration[],
  index: number,
  frame: Frame,
  visit: (frame: Frame) => boolean,
): boolean | undefined {
  const iteration = iterations[index];
  if (iteration === undefined) return visit(frame);
  const values = valuesOf(iteration, frame);
  if (values === undefined) return undefined;
  for (const value of values) {
    frame.run.tick();
    const goesOn = next(iterations, index + 1, new Frame(frame, [value], frame.run), visit);
    if (goesOn !== true) return goesOn;
  }
  return true;
}

function valuesOf({ from, to }: CompiledIteration, frame: Frame): Iterable<FeelValue> | undefined {
  const start = from(frame);
  if (to !== undefined) return between(start, to(frame), frame.run);
  if (isList(start)) return start;
  if (start === null) return undefined;
  if (!(start instanceof FeelRange)) return [start];
  return inRange(start, frame.run);
}

function inRange(range: FeelRange, run: Run): FeelList | undefined {
  const all = between(range.start ?? null, range.end ?? null, run);
  if (all === undefined) return undefined;
  const isSingle = all.length === 1 && !(range.startIncluded && range.endIncluded);
  return isSingle ? [] : all.slice(range.startIncluded ? 0 : 1, range.endIncluded ? undefined : -1);
}

/** The whole numbers or days from one end to the other, up or down. */
function between(start: FeelValue, end: FeelValue, run: Run): FeelList | undefined {
  if (typeof start === "number" && typeof end === "number") {
    if (!Number.isInteger(start) || !Number.isInteger(end)) return undefined;
    return steps(start, end, run, (at) => at);
  }
  if (start instanceof FeelDate && end instanceof FeelDate)
    return steps(start.epochDay, end.epochDay, run, (at) => FeelDate.ofEpochDay(at) ?? null);
  return undefined;
}

function steps(start: number, end: number, run: Run, valueAt: (at: number) => FeelValue): FeelList {
  const length = Math.abs(end - start) + 1;
  run.listLength(length);
  const direction = start <= end ? 1 : -1;
  return Array.from({ length }, (_, index) => valueAt(start + index * direction));
}
