import type { Run } from "../values/run.js";
import { FeelDate } from "../values/temporal.js";
import { type FeelList, FeelRange, type FeelValue, isList } from "../values/value.js";
import { type Evaluate, Frame } from "./scope.js";

export interface CompiledIteration {
  readonly from: Evaluate;
  readonly to: Evaluate | undefined;
}

/** The combinations of a loop, later names first. @returns false if a name has nothing to iterate over */
export function iterate(
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
