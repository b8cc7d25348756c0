import { isJsonObject } from "@decern/core/schema";
import { isSameJson } from "@decern/core/tools";
import { absent, type Path, valueAt, withValue } from "../values/json.js";

/** Whether an input still shows the finding. */
export type Shows = (input: unknown) => boolean;

const rounds = 4;
const most = 400;
const powers: readonly number[] = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1];

/** Makes inputs readable: as much as possible is as in one of the bases, and the rest is short and round. */
export class Shrinker {
  readonly #bases: readonly unknown[];

  /** @param bases - inputs that readers know, such as the examples */
  constructor(bases: readonly unknown[]) {
    this.#bases = bases;
  }

  /**
   * @param fixed - a place that stays as it is
   * @returns an input that `shows` still accepts
   */
  shrink(input: unknown, shows: Shows, fixed?: Path): unknown {
    const base = this.#nearest(input);
    if (base === undefined) return input;
    let left = most;
    let current = input;
    const accept = (candidate: unknown): boolean => {
      if (left <= 0 || isSameJson(candidate, current)) return false;
      left -= 1;
      if (!shows(candidate)) return false;
      current = candidate;
      return true;
    };
    const isFree = (path: Path): boolean =>
      fixed === undefined || path.slice(0, fixed.length).some((key, index) => key !== fixed[index]);
    for (let round = 0; round < rounds; round += 1) {
      const before = current;
      for (const path of differences(current, base)) {
        if (!isFree(path) || accept(withValue(current, path, valueAt(base, path)))) continue;
        if (isMember(base, path) && accept(withValue(current, path, absent))) continue;
        for (const simpler of simplerThan(valueAt(current, path))) {
          if (accept(withValue(current, path, simpler))) break;
        }
      }
      if (isSameJson(before, current)) break;
    }
    return current;
  }

  /** The base that has most in common with an input. */
  #nearest(input: unknown): unknown {
    let nearest: unknown;
    let least = Number.POSITIVE_INFINITY;
    for (const base of this.#bases) {
      const distance = differences(input, base).length;
      if (distance < least) {
        least = distance;
        nearest = base;
      }
    }
    return nearest;
  }
}

function isMember(base: unknown, path: Path): boolean {
  return path.length > 0 && valueAt(base, path) === absent;
}

/** The places where an input differs from another, each as deep as both have it. */
function differences(one: unknown, other: unknown, path: Path = []): readonly Path[] {
  if (isJsonObject(one) && isJsonObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) =>
      Object.hasOwn(one, name) && Object.hasOwn(other, name)
        ? differences(one[name], other[name], [...path, name])
        : [[...path, name]],
    );
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((item: unknown, index) => differences(item, other[index], [...path, index]));
  return isSameJson(one, other) ? [] : [path];
}

/** Values that are easier to read, the easiest first. */
function simplerThan(value: unknown): readonly unknown[] {
  if (typeof value === "number") return rounder(value);
  if (typeof value === "string") return shorterTexts(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const halves =
      items.length > 2 ? [items.slice(0, items.length >> 1), items.slice(items.length >> 1)] : [];
    return [[], ...halves, ...items.map((_item, index) => items.filter((_other, place) => place !== index))];
  }
  if (isJsonObject(value)) return Object.keys(value).map((name) => withValue(value, [name], absent));
  return [];
}

function rounder(value: number): readonly number[] {
  const digits = significantDigits(value);
  const rounded = powers.flatMap((power) => [
    Math.floor(value / power) * power,
    Math.ceil(value / power) * power,
  ]);
  const fractions = [10, 100, 1000].flatMap((parts) => [
    Math.floor(value * parts) / parts,
    Math.ceil(value * parts) / parts,
  ]);
  return [...new Set([0, 1, ...rounded, ...fractions])].filter(
    (number) => Number.isSafeInteger(Math.trunc(number)) && significantDigits(number) < digits,
  );
}

function significantDigits(value: number): number {
  return value === 0
    ? 0
    : String(Math.abs(value))
        .replace(/^0?\.0*|e.*$|\.(?=\d)/g, "")
        .replace(/0+$/, "").length;
}

function shorterTexts(value: string): readonly string[] {
  const { length } = value;
  return [...new Set([0, 1, length >> 2, length >> 1, length - 1])]
    .filter((end) => end >= 0 && end < length)
    .map((end) => value.slice(0, end));
}
