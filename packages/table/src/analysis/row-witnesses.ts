import type { BoundLogic, LogicContext, Schema } from "@decern/core";
import { isOrdered } from "../cells/scalar.js";
import type { Ranges } from "../engine/axis.js";
import type { TableModel } from "../model.js";
import { type Box, boxOf, wholeBox } from "./box.js";
import { Budget } from "./budget.js";
import { uncovered } from "./cover.js";
import type { End } from "./domain.js";
import { decidingOrder, visitOverlaps } from "./pairs.js";
import { common } from "./ranges.js";
import { type Side, type Space, spaceOf } from "./space.js";
import { Witnesses } from "./witness.js";

/** Steps of the search for what other rows leave to a row, as in an analysis. */
const budgetSteps = 20_000_000;

/**
 * Inputs that pass validation: one that each row decides and one that no row meets, as far as they are found, and then those next to
 * where conditions begin and end. Of these, one row's come first for each place where a condition begins or ends.
 *
 * @param logic - of the model, under the profile
 */
export function* rowWitnesses(
  model: TableModel,
  inputSchema: Schema,
  profile: unknown,
  now: Date,
  logic: BoundLogic,
): Generator<unknown> {
  const space = spaceOf(model, profile);
  const witnesses = new Witnesses(space, inputSchema);
  const context: LogicContext = { now, requestId: "", caller: undefined };
  const decided = new Map<number, unknown>();
  for (const [row, box] of decidedBoxes(model, space, now)) {
    const id = model.rows[row]?.id;
    const isHit = (input: unknown) => logic.hits(input, context).some(({ ruleId }) => ruleId === id);
    // Of conditions that refer to the input, its values decide.
    const found = witnesses.in(box, space.isOpen[row] === true ? isHit : undefined);
    if (found === undefined) continue;
    decided.set(row, found.witness);
    yield found.witness;
  }
  const rest = atInstant(space, wholeBox(space), now);
  if (rest !== undefined) {
    const { boxes } = uncovered(space, rest, rowsIn(space), new Budget(budgetSteps), once);
    for (const box of boxes) yield* listed(witnesses.in(box)?.witness);
  }
  const seen = new Set<string>();
  const later: (readonly [row: number, at: number, edge: Edge])[] = [];
  for (const [row, input] of decided) {
    for (const [at, side] of space.sides.entries()) {
      for (const edge of side.isTime ? [] : edgesOf(side, side.ranges[row] ?? [])) {
        const key = `${at} ${edge.place} ${edge.near}`;
        if (seen.has(key)) later.push([row, at, edge]);
        else yield* listed(witnesses.neighbour(input, at, edge.place, edge.near));
        seen.add(key);
      }
    }
  }
  for (const [row, at, { place, near }] of later)
    yield* listed(witnesses.neighbour(decided.get(row), at, place, near));
}

const once = { limit: 1, disjoint: new Set<number>() } as const;

function listed(input: unknown): readonly unknown[] {
  return input === undefined ? [] : [input];
}

function rowsIn({ isEmpty }: Space): readonly number[] {
  return [...isEmpty.keys()].filter((row) => isEmpty[row] === false);
}

/** What each row decides, at an instant. Rows that never do are left out. */
function* decidedBoxes(model: TableModel, space: Space, now: Date): Generator<readonly [number, Box]> {
  const order = decidingOrder(model) ?? [...model.rows.keys()];
  const hasMasks = model.hitPolicy === "F" || model.hitPolicy === "P";
  const boxes = new Map<number, Box | undefined>();
  if (hasMasks) {
    const budget = new Budget(budgetSteps);
    visitOverlaps(space, order, new Budget(budgetSteps), (row, earlier) => {
      const own = atInstant(space, boxOf(space, row), now);
      const certain = earlier.filter((other) => space.isOpen[other] === false);
      if (own === undefined || certain.length === 0) return true;
      const left = uncovered(space, own, certain, budget, once);
      boxes.set(row, left.boxes[0] ?? (left.isComplete ? undefined : own));
      return !budget.isSpent;
    });
  }
  for (const row of rowsIn(space)) {
    const box = boxes.has(row) ? boxes.get(row) : atInstant(space, boxOf(space, row), now);
    if (box !== undefined) yield [row, box];
  }
}

/** The part of a box at an instant; `undefined` if there is none. */
function atInstant({ sides }: Space, box: Box, now: Date): Box | undefined {
  const at = sides.findIndex(({ isTime }) => isTime);
  const side = sides[at];
  if (side === undefined) return box;
  const place = side.placeOf.get(side.axis.classOf(now.getTime()));
  const ranges = place === undefined ? [] : common(box[at] ?? [], [place, place]);
  return ranges.length === 0 ? undefined : box.with(at, ranges);
}

/** A value next to where a condition begins or ends: of a place, at one of its ends. */
interface Edge {
  readonly place: number;
  readonly near: End;
}

/** Of a list of texts, so many are inputs of their own. */
const mostListed = 32;

/** On both sides of where ranges begin and end. Of texts, which have no order: all that are listed, and a neighbour. */
function edgesOf({ column, classes }: Side, ranges: Ranges): readonly Edge[] {
  const edges: Edge[] = [];
  const add = (place: number, near: End): void => {
    if (place >= 0 && place < classes.length) edges.push({ place, near });
  };
  for (let at = 0; at < ranges.length; at += 2) {
    const from = ranges[at] ?? 0;
    const to = ranges[at + 1] ?? 0;
    // The ends of the axis are no ends of a condition.
    if (from > 0) add(from - 1, "high");
    if (isOrdered(column.type)) {
      if (from > 0) add(from, "low");
      if (to < classes.length - 1) add(to, "high");
    } else if (from > 0 || to < classes.length - 1)
      for (let place = from; place <= Math.min(to, from + mostListed); place += 1) add(place, "low");
    if (to < classes.length - 1) add(to + 1, "low");
  }
  return edges;
}
