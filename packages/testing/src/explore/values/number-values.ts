import type { JsonSchema } from "@decern/core";
import { numberRuler, type Ruler } from "./ruler.js";
import type { Random, Vocabulary } from "./vocabulary.js";

const magnitudes: readonly number[] = [1, 2, 5, 10, 50, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e9];
const gridPoints = 12;

/** Numbers to try where a schema stands. */
export class NumberValues {
  readonly ruler: Ruler;
  readonly #least: number;
  readonly #greatest: number;
  readonly #units: readonly number[];

  constructor(schema: JsonSchema, vocabulary: Vocabulary) {
    const { least, greatest } = boundsOf(schema);
    const isNarrow = greatest - least <= 2;
    this.ruler = numberRuler(schema, Math.max(vocabulary.decimals, isNarrow ? 4 : 2));
    // Units just outside of a bound are dropped by validation.
    this.#least = this.#unit(least) ?? Number.NEGATIVE_INFINITY;
    this.#greatest = this.#unit(greatest) ?? Number.POSITIVE_INFINITY;
    this.#units = this.#listed(schema, vocabulary.numbers);
  }

  /** In ascending order, with `further` numbers and their neighbours. */
  around(further: readonly number[]): readonly number[] {
    return this.#values(new Set([...this.#units, ...this.#withNeighbours(further)]));
  }

  random(random: Random, further: readonly number[]): number {
    const chosen = random.pick(this.#units);
    const other = random.pick(further);
    if (random.chance(0.4) && chosen !== undefined) return this.#value(chosen);
    if (random.chance(0.2) && other !== undefined) return this.#value(this.#near(random, other));
    const bound = random.pick(magnitudes) ?? 1;
    const isNearZero = random.chance(0.5) || !Number.isFinite(this.#greatest - this.#least);
    const low = isNearZero ? Math.max(this.#least, this.#unit(-bound) ?? 0) : this.#least;
    const high = isNearZero ? Math.min(this.#greatest, this.#unit(bound) ?? 0) : this.#greatest;
    // A range that is far from zero.
    if (low > high) return this.#value(this.#units[0] ?? 0);
    const width = high - low;
    const units = low + Math.floor(random.share() * (width + 1));
    // Of a number with decimals, round ones are tried more often than not.
    const whole = Math.round(this.#value(units));
    return random.chance(0.6) ? (this.#snapped(whole) ?? this.#value(units)) : this.#value(units);
  }

  #near(random: Random, number: number): number {
    return (this.#unit(number) ?? 0) + random.below(3) - 1;
  }

  #snapped(number: number): number | undefined {
    const units = this.#unit(number);
    return units === undefined || !this.#isInside(units) ? undefined : this.#value(units);
  }

  #listed({ examples, default: standard }: JsonSchema, literals: readonly number[]): readonly number[] {
    const units = new Set<number>();
    const named = [...(Array.isArray(examples) ? examples : []), standard, 0, ...literals];
    for (const unit of this.#withNeighbours(named)) units.add(unit);
    for (const bound of [this.#least, this.#greatest]) for (const step of [-1, 0, 1]) units.add(bound + step);
    const isBounded = Number.isFinite(this.#greatest - this.#least);
    for (let point = 1; isBounded && point < gridPoints; point += 1)
      units.add(Math.round(this.#least + ((this.#greatest - this.#least) * point) / gridPoints));
    for (const magnitude of magnitudes)
      for (const number of [magnitude, -magnitude]) units.add(this.#unit(number) ?? 0);
    return [...units].filter((unit) => this.#isInside(unit)).sort((one, other) => one - other);
  }

  #withNeighbours(numbers: readonly unknown[]): readonly number[] {
    return numbers.flatMap((number) => {
      const unit = this.ruler.toUnits(number);
      return unit === undefined ? [] : [unit - 1, unit, unit + 1];
    });
  }

  #values(units: ReadonlySet<number>): readonly number[] {
    return [...units]
      .filter((unit) => this.#isInside(unit))
      .sort((one, other) => one - other)
      .map((unit) => this.#value(unit));
  }

  #isInside(unit: number): boolean {
    return Number.isFinite(unit) && unit >= this.#least && unit <= this.#greatest;
  }

  #unit(number: number): number | undefined {
    return Number.isFinite(number) ? this.ruler.toUnits(number) : undefined;
  }

  #value(unit: number): number {
    return Number(this.ruler.fromUnits(unit));
  }
}

function boundsOf(schema: JsonSchema): { readonly least: number; readonly greatest: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const lower = [minimum, exclusiveMinimum].filter((bound) => typeof bound === "number");
  const upper = [maximum, exclusiveMaximum].filter((bound) => typeof bound === "number");
  return {
    least: Math.max(Number.NEGATIVE_INFINITY, ...lower),
    greatest: Math.min(Number.POSITIVE_INFINITY, ...upper),
  };
}
