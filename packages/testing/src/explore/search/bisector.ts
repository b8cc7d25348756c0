import { type Path, patternOf, valueAt, withValue } from "../values/json.js";
import { finestRuler, lengthRuler, type Ruler, textRuler } from "../values/ruler.js";
import type { Borders } from "./findings.js";
import type { Place, SchemaReader } from "./schema-reader.js";
import { isScalar, type OutputKinds, type Trial, type Trials } from "./trials.js";

/** One thing in which two trials may differ: whether a rule matches, or a value of the output. */
interface Aspect {
  readonly name: string;
  of(trial: Trial): string;
}

/** The two values between which something changes. */
interface Threshold {
  readonly low: unknown;
  readonly high: unknown;
}

const mostAspects = 12;
const mostParts = 8;
const mostThresholds = 24;
const mostLeaps = 1;
const mostShown = 24;
const mostSteps = 64;

/** Finds the neighbours between which two inputs that differ in one place begin to behave differently. */
export class Bisector {
  readonly #trials: Trials;
  readonly #reader: SchemaReader;
  readonly #borders: Borders;
  readonly #kinds: OutputKinds;
  readonly #decimals: number;
  readonly #thresholds = new Map<string, Threshold[]>();
  readonly #leaps = new Map<string, number>();
  readonly #shown = new Map<string, Set<unknown>>();

  constructor(trials: Trials, reader: SchemaReader, borders: Borders, kinds: OutputKinds, decimals: number) {
    this.#trials = trials;
    this.#reader = reader;
    this.#borders = borders;
    this.#kinds = kinds;
    this.#decimals = decimals;
  }

  /** How the values of a place are measured; `undefined` for those that are not. */
  rulerFor(place: Place, one: unknown, other: unknown): Ruler | undefined {
    if (typeof one === "number" && typeof other === "number")
      return finestRuler(
        this.#reader.alternativeOf(place.schema, one),
        this.#decimals,
        Math.max(Math.abs(one), Math.abs(other)),
      );
    if (typeof one === "string" && typeof other === "string") {
      const ruler = textRuler(one);
      return ruler?.toUnits(other) === undefined ? lengthRuler(longer(one, other)) : ruler;
    }
    return Array.isArray(one) && Array.isArray(other) ? lengthRuler(longer(one, other)) : undefined;
  }

  /** Looks between two trials that differ in `place` only. */
  between(one: Trial, other: Trial, place: Place): void {
    const { path } = place;
    const aspects = this.#aspectsOf(one, other);
    if (aspects.length === 0) return;
    const values = [valueAt(one.input, path), valueAt(other.input, path)] as const;
    const isListed = values.every((value) => this.#isListed(place, value));
    const ruler = isListed ? undefined : this.rulerFor(place, ...values);
    const units = values.map((value) => ruler?.toUnits(value));
    const [first, second] = units;
    for (const aspect of aspects) {
      if (ruler === undefined || first === undefined || second === undefined || first === second) {
        if (isListed) this.#leapOfListed([one, other], values, aspect, path);
        else if (values.every(isScalar)) this.#leap([one, other], aspect, path);
      } else {
        const span = [Math.min(first, second), Math.max(first, second)] as const;
        this.#narrow(first < second ? one : other, span, aspect, path, ruler);
      }
    }
  }

  #isListed({ schema }: Place, value: unknown): boolean {
    const alternative = this.#reader.alternativeOf(schema, value);
    return "enum" in alternative || "const" in alternative;
  }

  /** A rule may mean any of the members of an enumeration: each is shown once on one side of a border. */
  #leapOfListed(
    trials: readonly [Trial, Trial],
    values: readonly unknown[],
    aspect: Aspect,
    path: Path,
  ): void {
    const [one, other] = trials;
    // Callers do not see a border behind an earlier rule.
    const isDecidedApart = one.outcome !== other.outcome;
    const name = `${patternOf(path)} ${aspect.name} ${isDecidedApart}`;
    const shown = this.#shown.get(name) ?? new Set<unknown>();
    this.#shown.set(name, shown);
    if (shown.size >= mostShown || values.every((value) => shown.has(value))) return;
    for (const value of values) shown.add(value);
    this.#borders.add(aspect.name, path, trials, true);
  }

  /** Values that measure nothing have no neighbours. */
  #leap(trials: readonly [Trial, Trial], aspect: Aspect, path: Path): void {
    const name = `${patternOf(path)} ${aspect.name} ${trials.map((trial) => aspect.of(trial)).join("→")}`;
    const count = this.#leaps.get(name) ?? 0;
    this.#leaps.set(name, count + 1);
    if (count < mostLeaps) this.#borders.add(aspect.name, path, trials);
  }

  #narrow(
    base: Trial,
    [start, end]: readonly [number, number],
    aspect: Aspect,
    path: Path,
    ruler: Ruler,
  ): void {
    const at: At = (units) => this.#trials.try(withValue(base.input, path, ruler.fromUnits(units)));
    const high = at(end);
    let low = at(start);
    let lowUnits = start;
    for (let part = 0; part < mostParts && low !== undefined && high !== undefined; part += 1) {
      if (aspect.of(low) === aspect.of(high)) return;
      const span = { low: lowUnits, high: end, below: low, above: high };
      const found = this.#threshold(span, aspect, path, ruler, at);
      if (found === undefined) return;
      this.#borders.add(aspect.name, path, [found.below, found.above]);
      // Further thresholds may lie between this one and the end.
      low = found.above;
      lowUnits = found.high;
    }
  }

  /** One that is known from other inputs, if it holds for this one too, else a new one. */
  #threshold(span: Span, aspect: Aspect, path: Path, ruler: Ruler, at: At): Span | undefined {
    const key = `${patternOf(path)} ${aspect.name} ${aspect.of(span.below)}→${aspect.of(span.above)}`;
    const known = this.#thresholds.get(key) ?? [];
    this.#thresholds.set(key, known);
    for (const values of known) {
      const low = ruler.toUnits(values.low);
      const high = ruler.toUnits(values.high);
      if (low === undefined || high === undefined || low >= high || low < span.low || high > span.high)
        continue;
      const below = at(low);
      const above = at(high);
      if (below === undefined || above === undefined) continue;
      if (aspect.of(below) === aspect.of(span.below) && aspect.of(above) !== aspect.of(below))
        return { low, high, below, above };
    }
    if (known.length >= mostThresholds) return undefined;
    // First in steps that are easy to read, then in the smallest ones: a threshold may have any number of decimals.
    const found = bisect(bisect(span, aspect, at, ruler.coarse ?? 1), aspect, at, 1);
    known.push({ low: ruler.fromUnits(found.low), high: ruler.fromUnits(found.high) });
    return found;
  }

  #aspectsOf(one: Trial, other: Trial): readonly Aspect[] {
    const aspects: Aspect[] = [];
    for (const [index, rule] of one.rules.entries())
      if (rule.outcome !== other.rules[index]?.outcome)
        aspects.push({ name: `rule ${index}`, of: ({ rules }) => rules[index]?.outcome ?? "" });
    for (const place of new Set([...one.outputs.keys(), ...other.outputs.keys()]))
      if (one.outputs.get(place) !== other.outputs.get(place) && this.#kinds.isOneOfFew(place))
        aspects.push({ name: `output ${place}`, of: ({ outputs }) => outputs.get(place) ?? "" });
    return aspects.slice(0, mostAspects);
  }
}

/** Tries an input with another value in the place. */
type At = (units: number) => Trial | undefined;

interface Span {
  readonly low: number;
  readonly high: number;
  readonly below: Trial;
  readonly above: Trial;
}

/** Halves a span at multiples of a step, until there is none between its ends, or what lies there is not valid. */
function bisect(span: Span, aspect: Aspect, at: At, step: number): Span {
  let { low, high, below, above } = span;
  const before = aspect.of(below);
  for (let count = 0; count < mostSteps; count += 1) {
    const half = Math.floor((low + high) / 2 / step) * step;
    const units = half > low ? half : half + step;
    if (units >= high) break;
    const middle = at(units);
    if (middle === undefined) break;
    if (aspect.of(middle) === before) {
      low = units;
      below = middle;
    } else {
      high = units;
      above = middle;
    }
  }
  return { low, high, below, above };
}

function longer<Value extends string | readonly unknown[]>(one: Value, other: Value): Value {
  return one.length >= other.length ? one : other;
}
