import { compare } from "../values/compare.js";
import type { Run } from "../values/run.js";
import { FeelRange, type FeelValue } from "../values/value.js";
import { builtIn, overload } from "./define.js";

/** Thrown where two ends can't be compared, to become null at the function. */
class NoOrder extends Error {}

/** A point is the range from itself to itself. */
function rangeOf(value: FeelValue): FeelRange {
  return value instanceof FeelRange ? value : new FeelRange(value, true, value, true);
}

/** An end without limit is below or above all. */
function order(a: FeelValue | undefined, b: FeelValue | undefined, run: Run, open: -1 | 1): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? open : -open;
  const result = compare(a, b, run);
  if (result === undefined) throw new NoOrder();
  return result;
}

/** Negative if the first range ends before the second starts; zero if they share that point only. */
function endToStart(a: FeelRange, b: FeelRange, run: Run): number {
  if (a.end === undefined || b.start === undefined) return 1;
  const result = compare(a.end, b.start, run);
  if (result === undefined) throw new NoOrder();
  if (result !== 0) return result;
  return a.endIncluded && b.startIncluded ? 0 : -1;
}

/** By where ranges start, with what is included. */
function starts(a: FeelRange, b: FeelRange, run: Run): number {
  const result = order(a.start, b.start, run, -1);
  if (result !== 0 || a.startIncluded === b.startIncluded) return result;
  return a.startIncluded ? -1 : 1;
}

function ends(a: FeelRange, b: FeelRange, run: Run): number {
  const result = order(a.end, b.end, run, 1);
  if (result !== 0 || a.endIncluded === b.endIncluded) return result;
  return a.endIncluded ? 1 : -1;
}

type Relation = (a: FeelRange, b: FeelRange, run: Run) => boolean;

const before: Relation = (a, b, run) => endToStart(a, b, run) < 0;
const meets: Relation = (a, b, run) =>
  a.end !== undefined && b.start !== undefined && endToStart(a, b, run) === 0;
const overlap: Relation = (a, b, run) => endToStart(a, b, run) >= 0 && endToStart(b, a, run) >= 0;
const overlapsBefore: Relation = (a, b, run) =>
  starts(a, b, run) < 0 && ends(a, b, run) <= 0 && endToStart(a, b, run) >= 0;
const finishes: Relation = (a, b, run) => ends(a, b, run) === 0 && starts(a, b, run) >= 0;
const includes: Relation = (a, b, run) => starts(a, b, run) <= 0 && ends(a, b, run) >= 0;
const started: Relation = (a, b, run) => starts(a, b, run) === 0 && ends(a, b, run) <= 0;
const coincides: Relation = (a, b, run) => starts(a, b, run) === 0 && ends(a, b, run) === 0;

function flipped(relation: Relation): Relation {
  return (a, b, run) => relation(b, a, run);
}

type Names = readonly [string, string];

const twoPoints: Names = ["point1", "point2"];
const pointAndRange: Names = ["point", "range"];
const rangeAndPoint: Names = ["range", "point"];
const twoRanges: Names = ["range1", "range2"];

/** @param forms - the names of the parameters, which tell points and ranges apart */
function relation(name: string, holds: Relation, ...forms: readonly Names[]) {
  return builtIn(
    name,
    "boolean",
    ...forms.map(([first, second]) =>
      overload(
        [
          [first, kindOf(first)],
          [second, kindOf(second)],
        ],
        ([a, b], run) => {
          try {
            const [left, right] = [rangeOf(a), rangeOf(b)];
            compareEnds(left, right, run);
            return holds(left, right, run);
          } catch (error) {
            if (error instanceof NoOrder) return undefined;
            throw error;
          }
        },
      ),
    ),
  );
}

function kindOf(parameter: string): "range" | "point" {
  return parameter.startsWith("range") ? "range" : "point";
}

function compareEnds(a: FeelRange, b: FeelRange, run: Run): void {
  const left = a.start ?? a.end;
  const right = b.start ?? b.end;
  if (left !== undefined && right !== undefined && compare(left, right, run) === undefined)
    throw new NoOrder();
}

export const rangeFunctions = [
  relation("before", before, twoPoints, pointAndRange, rangeAndPoint, twoRanges),
  relation("after", flipped(before), twoPoints, pointAndRange, rangeAndPoint, twoRanges),
  relation("meets", meets, twoRanges),
  relation("met by", flipped(meets), twoRanges),
  relation("overlaps", overlap, twoRanges),
  relation("overlaps before", overlapsBefore, twoRanges),
  relation("overlaps after", flipped(overlapsBefore), twoRanges),
  relation("finishes", finishes, pointAndRange, twoRanges),
  relation("finished by", flipped(finishes), rangeAndPoint, twoRanges),
  relation("includes", includes, rangeAndPoint, twoRanges),
  relation("during", flipped(includes), pointAndRange, twoRanges),
  relation("starts", started, pointAndRange, twoRanges),
  relation("started by", flipped(started), rangeAndPoint, twoRanges),
  relation("coincides", coincides, twoPoints, twoRanges),
];
