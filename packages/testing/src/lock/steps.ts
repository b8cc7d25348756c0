import { type Path, withValue } from "../explore/values/json.js";
import type { ModuleVersion } from "./module-versions.js";

/** Whether an input with this number is valid. */
type IsValid = (number: number) => boolean;

/** The numbers that may stand in one place: multiples of a step between two bounds. */
interface NumberGrid {
  readonly lowest: number;
  readonly highest: number;
  at(index: number): number;
  /** How many steps there are between the bounds. */
  readonly steps: number;
}

/** Tried from large to small. Decimals beyond these are not looked for. */
const stepSizes = [1, 0.1, 0.01] as const;

const farthest = 1e9;

/**
 * Finds out by trying which numbers are valid near one that is. That works with every kind of schema.
 *
 * @returns `undefined` for a number that nothing else can stand for
 */
function numberGrid(start: number, isValid: IsValid): NumberGrid | undefined {
  const finest = stepSizes.findLast((size) => isValid(round(start + size)) || isValid(round(start - size)));
  if (finest === undefined) return undefined;
  const reach = (sign: 1 | -1): number => {
    let [inside, outside] = [0, 1];
    const isInside = (count: number): boolean => isValid(round(start + sign * count * finest));
    while (isInside(outside)) {
      inside = outside;
      if (outside * finest > farthest) return inside;
      outside *= 2;
    }
    while (outside - inside > 1) {
      const middle = Math.floor((inside + outside) / 2);
      if (isInside(middle)) inside = middle;
      else outside = middle;
    }
    return inside;
  };
  const [below, above] = [reach(-1), reach(1)];
  return {
    lowest: round(start - below * finest),
    highest: round(start + above * finest),
    at: (index) => round(start + (index - below) * finest),
    steps: below + above,
  };
}

/** Without the noise that binary fractions add. */
function round(number: number): number {
  return Math.round(number * 100) / 100;
}

/** Every number of an input. */
function numberPlaces(value: unknown, above: Path = []): readonly (readonly [Path, number])[] {
  if (typeof value === "number") return [[above, value]];
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => numberPlaces(item, [...above, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => numberPlaces(member, [...above, name]));
}

/** Two inputs that differ in one number, by one step, with different results. */
type StepPair = readonly [unknown, unknown];

/** Every value is tried up to here; of more, as many and those in between where something changes. */
const mostSamples = 512;

/** Of so few, each may well have an output of its own. */
const fewValues = 16;

/**
 * Finds the steps in what a decision returns: not only those where another rule decides, but also those of a score or a
 * limit within the output. A threshold that moves by one is seen at one of the two inputs.
 *
 * @param starts - the numbers of these inputs are changed, each by itself
 * @param budget - most inputs that are tried
 */
export function findSteps(
  version: ModuleVersion,
  starts: readonly unknown[],
  now: string,
  budget: number,
): readonly StepPair[] {
  const pairs: StepPair[] = [];
  const known = new Set<string>();
  let left = budget;
  for (const start of starts) {
    for (const [place, number] of numberPlaces(start)) {
      if (left <= 0) return pairs;
      const tried = new Map<number, string | undefined>();
      const effect = (value: number): string | undefined => {
        if (tried.has(value)) return tried.get(value);
        left -= 1;
        const found = version.effect(withValue(start, place, value), now);
        tried.set(value, found);
        return found;
      };
      if (effect(number) === undefined) continue;
      const grid = numberGrid(number, (value) => effect(value) !== undefined);
      if (grid === undefined) continue;
      for (const [low, high] of stepsOf(grid, effect)) {
        const effects = [effect(low), effect(high)];
        const outcomes = effects.map(outcomeOf);
        const isRule = outcomes[0] !== outcomes[1];
        const step = JSON.stringify([place, low, high, isRule ? outcomes : effects]);
        if (known.has(step)) continue;
        known.add(step);
        pairs.push([withValue(start, place, low), withValue(start, place, high)]);
      }
    }
  }
  return pairs;
}

/** Pairs of neighbours on a grid with different effects. */
function stepsOf(
  grid: NumberGrid,
  effect: (value: number) => string | undefined,
): readonly (readonly [number, number])[] {
  const indexes = sampled(grid.steps);
  const at = (index: number): string | undefined => effect(grid.at(index));
  const isOften = indexes.length > fewValues;
  /** `undefined` beyond either end. */
  const changes = (index: number): boolean | undefined => {
    const [from, to] = [indexes[index], indexes[index + 1]];
    return from === undefined || to === undefined ? undefined : at(from) !== at(to);
  };
  return indexes.slice(1).flatMap((high, index) => {
    const low = indexes[index] ?? 0;
    if (changes(index) !== true) return [];
    const [from, to] = [at(low), at(high)];
    // An output that follows the number has no steps.
    const goesOn = isOften && [index - 1, index + 1].every((other) => changes(other) ?? true);
    if (goesOn && outcomeOf(from) === outcomeOf(to)) return [];
    let [before, after] = [low, high];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (at(middle) === from) before = middle;
      else after = middle;
    }
    return [finest(grid.at(before), grid.at(after), effect)];
  });
}

/** The same step between numbers with up to nine decimals, where they are valid: a threshold may have more than the grid. */
function finest(
  low: number,
  high: number,
  effect: (value: number) => string | undefined,
): readonly [number, number] {
  // As many as numbers of this size can be distinguished with.
  const parts = 10 ** Math.min(9, 15 - String(Math.ceil(Math.abs(high) + Math.abs(low))).length);
  const from = effect(low);
  let [before, after] = [Math.round(low * parts), Math.round(high * parts)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    const found = effect(middle / parts);
    if (found === undefined) break;
    if (found === from) before = middle;
    else after = middle;
  }
  return [before / parts, after / parts];
}

/** An effect without its output. */
function outcomeOf(effect: string | undefined): string | undefined {
  return effect?.split("\n", 1)[0];
}

/** Indexes from 0 to `steps`: all of them, or as many at equal distances, and closer ones near both ends. */
function sampled(steps: number): readonly number[] {
  if (steps <= mostSamples) return Array.from({ length: steps + 1 }, (_, index) => index);
  const indexes = new Set([0, steps]);
  for (let index = 1; index < mostSamples / 2; index += 1)
    indexes.add(Math.round((steps * index) / (mostSamples / 2)));
  for (let distance = 1; distance < steps; distance *= 1.25) {
    indexes.add(Math.round(distance));
    indexes.add(steps - Math.round(distance));
  }
  return [...indexes].sort((a, b) => a - b);
}
