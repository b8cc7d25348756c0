import { type JsonSchema, type Schema, toJsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isThenable } from "@decern/core/tools";
import type { Column, Scalar } from "../cells/condition.js";
import { valueAt } from "../cells/scalar.js";
import { fieldValue, rawValue } from "../engine/field-value.js";
import { type Box, wholeBox } from "./box.js";
import { Budget } from "./budget.js";
import type { End } from "./domain.js";
import { countOf } from "./ranges.js";
import { otherTexts, sampleOf } from "./sample-input.js";
import { otherText, type Side, type Space, valueIn } from "./space.js";

/** An input in a box, which passes validation. */
export interface Witness {
  readonly witness: unknown;
  /** ISO 8601 instant of the call, where rows aren't always in force. */
  readonly now?: string;
}

/** What it takes to try an input, in steps of a budget. */
const stepsOfTry = 100;

/** Finds inputs in boxes. */
export class Witnesses {
  readonly #space: Space;
  readonly #schema: Schema;
  readonly #budget: Budget;
  readonly #sample: unknown;

  /** @param budget - after which no input is tried. @default there is none */
  constructor(space: Space, schema: Schema, budget = new Budget(Infinity)) {
    this.#space = space;
    this.#schema = schema;
    this.#budget = budget;
    const root: JsonSchema = toJsonSchema(schema);
    this.#sample = repaired(sampleOf(root, root), schema);
  }

  /**
   * @param accepts - gets what validation made of an input. @default every input is accepted
   * @returns `undefined` if none of the inputs that were tried passes validation and is accepted
   */
  in(box: Box, accepts?: (input: unknown) => boolean): Witness | undefined {
    for (let turn = 0; turn < otherTexts.length; turn += 1) {
      for (const absence of absences) {
        if (!this.#budget.spend(stepsOfTry)) return undefined;
        const input = this.#inputIn(box, turn, absence);
        const valid = this.#validIn(box, input);
        if (valid !== undefined && accepts?.(valid.value) !== false)
          return { witness: input, ...this.#nowIn(box, turn) };
      }
      // Each turn takes other values; a box of one input has no others.
      if (
        turn > 0 &&
        accepts === undefined &&
        this.#space.sides.every((side, at) => isSingle(side, box[at] ?? []))
      )
        break;
    }
    return undefined;
  }

  /**
   * An input with a value of another place on one side.
   *
   * @returns `undefined` if there is none that passes validation
   */
  neighbour(input: unknown, at: number, place: number, near: End): unknown {
    const side = this.#space.sides[at];
    if (side === undefined) return undefined;
    const { column, axis, classes } = side;
    const box = wholeBox(this.#space).with(at, [place, place]);
    const value = valueIn(column, axis, classes[place] ?? 0, near);
    const values = value === otherText ? otherTexts.filter((text) => !axis.marks.includes(text)) : [value];
    for (const own of values) {
      for (const absence of absences) {
        const changed = withField(input, column, own ?? null, absence);
        if (this.#validIn(box, changed) !== undefined) return changed;
      }
    }
    return undefined;
  }

  #inputIn(box: Box, turn: number, absence: Absence): unknown {
    let input: unknown = structuredClone(this.#sample);
    for (const [at, side] of this.#space.sides.entries()) {
      if (side.isTime) continue;
      // Of two fields, one may have to be larger than the other: each has the ends of its class in turns of its own.
      const near = ends[Math.floor(turn / ends.length ** (at % 3)) % ends.length];
      input = withField(input, side.column, pick(side, box[at] ?? [], turn, near), absence);
    }
    return input;
  }

  #nowIn(box: Box, turn: number): { readonly now?: string } {
    const at = this.#space.sides.findIndex(({ isTime }) => isTime);
    const side = this.#space.sides[at];
    if (side === undefined) return {};
    const value = pick(side, box[at] ?? [], turn);
    return typeof value === "number" ? { now: String(rawValue("date-time", value)) } : {};
  }

  /** What validation makes of an input, if it passes and what is returned lies in the box. */
  #validIn(box: Box, input: unknown): { readonly value: unknown } | undefined {
    const result = this.#schema["~standard"].validate(input);
    if (isThenable(result)) {
      Promise.resolve(result).catch(() => {});
      return undefined;
    }
    if (result.issues !== undefined) return undefined;
    const isIn = this.#space.sides.every((side, at) => {
      if (side.isTime) return true;
      const value = fieldValue(side.column.type, valueAt(result.value, side.column.path));
      const place = side.placeOf.get(side.axis.classOf(value));
      return place !== undefined && hasPlace(box[at] ?? [], place);
    });
    return isIn ? result : undefined;
  }
}

const ends = [undefined, "high", "low"] as const satisfies readonly (End | undefined)[];

/** Replaces texts and numbers that don't pass validation by others, as long as that helps. */
function repaired(sample: unknown, schema: Schema): unknown {
  let value = sample;
  for (let turn = 0; turn < mostRepairs; turn += 1) {
    const [path] = pathsRefused(schema, value);
    if (path === undefined) return value;
    const old = valueAt(value, path);
    const tries: readonly unknown[] = typeof old === "number" ? [0, 1, 10, 100, 1000, 0.5] : otherTexts;
    const better = tries
      .map((other) => withMember(value, path, other, false))
      .find((other) => pathsRefused(schema, other).every((refused) => refused.join() !== path.join()));
    if (path.length === 0 || better === undefined) return value;
    value = better;
  }
  return value;
}

const mostRepairs = 20;

function pathsRefused(schema: Schema, value: unknown): readonly (readonly string[])[] {
  const result = schema["~standard"].validate(value);
  if (isThenable(result)) {
    Promise.resolve(result).catch(() => {});
    return [];
  }
  return (result.issues ?? []).map(({ path = [] }) =>
    path.map((part) => String(typeof part === "object" ? part.key : part)),
  );
}

/** How a field is without a value: as the schema says, left out, or left out with objects that would be empty. */
type Absence = "asSchema" | "leftOut" | "bare";

const absences = ["asSchema", "leftOut", "bare"] as const satisfies readonly Absence[];

function allowsNull(column: Column & { readonly allowsNull?: boolean }, absence: Absence): boolean {
  return absence === "asSchema" && column.allowsNull !== false;
}

function isSingle({ column, classes }: Side, ranges: readonly number[]): boolean {
  return countOf(ranges) === 1 && (column.type !== "text" || classes.length === 0);
}

/** A value of the box on one side: of its first place at first, and then of others. */
function pick(
  { column, axis, classes }: Side,
  ranges: readonly number[],
  turn: number,
  near?: End,
): Scalar | null {
  let skip = countOf(ranges) === 0 ? 0 : (turn * 7) % countOf(ranges);
  for (let at = 0; at < ranges.length; at += 2) {
    const from = ranges[at] ?? 0;
    const count = (ranges[at + 1] ?? 0) - from + 1;
    if (skip >= count) {
      skip -= count;
      continue;
    }
    const value = valueIn(column, axis, classes[from + skip] ?? 0, near) ?? null;
    if (value !== otherText) return value;
    const texts = otherTexts.filter((text) => !axis.marks.includes(text));
    return texts[turn % texts.length] ?? "other";
  }
  return null;
}

function hasPlace(ranges: readonly number[], place: number): boolean {
  for (let at = 0; at < ranges.length; at += 2)
    if (place >= (ranges[at] ?? 0) && place <= (ranges[at + 1] ?? 0)) return true;
  return false;
}

/** @param value - on the axis of the column */
function withField(input: unknown, column: Column, value: Scalar | null, absence: Absence): unknown {
  const raw =
    value === null ? (allowsNull(column, absence) ? null : undefined) : rawValue(column.type, value);
  return withMember(input, column.path, raw, absence === "bare");
}

/** A copy with one member set; `undefined` removes it. */
function withMember(root: unknown, path: readonly string[], value: unknown, isBare: boolean): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const members = isJsonObject(root) ? root : {};
  const inner = withMember(Object.hasOwn(members, name) ? members[name] : undefined, rest, value, isBare);
  const others = Object.entries(members).filter(([other]) => other !== name);
  const isLeftOut = inner === undefined || (isBare && isJsonObject(inner) && Object.keys(inner).length === 0);
  if (isLeftOut)
    return root === undefined && isBare && others.length === 0 ? undefined : Object.fromEntries(others);
  // `fromEntries` defines `__proto__` like any other name.
  return Object.fromEntries([...others, [name, inner]]);
}
