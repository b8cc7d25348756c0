import { compare } from "../values/compare.js";
import type { Run } from "../values/run.js";
import { FeelRange, type FeelValue } from "../values/value.js";
import { builtIn, overload } from "./define.js";

/** Points and ranges as one: a point is the range from itself to itself. */
interface Span {
  readonly range: FeelRange;
  readonly isPoint: boolean;
}

/** Thrown where two ends can't be compared, to become null at the function. */
class NoOrder extends Error {}

function spanOf(value: FeelValue): Span {
  return value instanceof FeelRange
    ? { range: value, isPoint: false }
    : { range: new FeelRange(value, true, value, true), isPoint: true };
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

interface Allowed {
  /** Which of the two parameters may be points. */
  readonly points: "none" | "first" | "second" | "any" | "both or none";
}

function relation(
  name: string,
  [first, second]: readonly [string, string],
  holds: Relation,
  { points }: Allowed,
) {
  return builtIn(
    name,
    "boolean",
    overload(
      [
        [first, "any"],
        [second, "any"],
      ],
      ([a, b], run) => {
        if (a === null || b === null) return undefined;
        const [left, right] = [spanOf(a), spanOf(b)];
        if (!isAllowed(points, left.isPoint, right.isPoint)) return undefined;
        try {
          // A point that can't be compared is in no range.
          compareEnds(left.range, right.range, run);
          return holds(left.range, right.range, run);
        } catch (error) {
          if (error instanceof NoOrder) return undefined;
          throw error;
        }
      },
    ),
  );
}

function compareEnds(a: FeelRange, b: FeelRange, run: Run): void {
  const left = a.start ?? a.end;
  const right = b.start ?? b.end;
  if (left !== undefined && right !== undefined && compare(left, right, run) === undefined)
    throw new NoOrder();
}

function isAllowed(points: Allowed["points"], isFirst: boolean, isSecond: boolean): boolean {
  if (points === "any") return true;
  if (points === "both or none") return isFirst === isSecond;
  if (points === "first") return !isSecond;
  return points === "second" ? !isFirst : !isFirst && !isSecond;
}

const ranges = ["range1", "range2"] as const;

export const rangeFunctions = [
  relation("before", ["point1", "point2"], before, { points: "any" }),
  relation("after", ["point1", "point2"], flipped(before), { points: "any" }),
  relation("meets", ranges, meets, { points: "none" }),
  relation("met by", ranges, flipped(meets), { points: "none" }),
  relation("overlaps", ranges, overlap, { points: "none" }),
  relation("overlaps before", ranges, overlapsBefore, { points: "none" }),
  relation("overlaps after", ranges, flipped(overlapsBefore), { points: "none" }),
  relation("finishes", ["point", "range"], finishes, { points: "first" }),
  relation("finished by", ["range", "point"], flipped(finishes), { points: "second" }),
  relation("includes", ["range", "point"], includes, { points: "second" }),
  relation("during", ["point", "range"], flipped(includes), { points: "first" }),
  relation("starts", ["point", "range"], started, { points: "first" }),
  relation("started by", ["range", "point"], flipped(started), { points: "second" }),
  relation("coincides", ["point1", "point2"], coincides, { points: "both or none" }),
];
