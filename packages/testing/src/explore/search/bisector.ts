import type { SchemaReader } from "../schema/alternatives.js";
import type { Place } from "../schema/places.js";
import { type Path, patternOf, valueAt, withValue } from "../values/json-path.js";
import { lengthRuler, numberRuler, type Ruler, textRuler } from "../values/ruler.js";
import type { Borders } from "./borders.js";
import type { OutputKinds } from "./outputs.js";
import type { Subject } from "./subject.js";
import type { Trial } from "./trial.js";

/** One thing in which two trials may differ: whether a rule matches, or a value of the output. */
interface Aspect {
  readonly name: string;
  of(trial: Trial): string;
}

interface Threshold {
  readonly low: number;
  readonly high: number;
}

const mostAspects = 12;
const mostParts = 8;
const mostThresholds = 24;
const mostLeaps = 1;
const mostSteps = 64;
const finerDecimals = 4;

/** Finds the neighbours between which two inputs that differ in one place begin to behave differently. */
export class Bisector {
  readonly #subject: Subject;
  readonly #reader: SchemaReader;
  readonly #borders: Borders;
  readonly #kinds: OutputKinds;
  readonly #decimals: number;
  readonly #thresholds = new Map<string, Threshold[]>();
  readonly #leaps = new Map<string, number>();
  readonly #refined = new Set<string>();

  constructor(
    subject: Subject,
    reader: SchemaReader,
    borders: Borders,
    kinds: OutputKinds,
    decimals: number,
  ) {
    this.#subject = subject;
    this.#reader = reader;
    this.#borders = borders;
    this.#kinds = kinds;
    this.#decimals = decimals;
  }

  /** How the values of a place are measured; `undefined` for those that are not. */
  rulerFor({ schema }: Place, one: unknown, other: unknown): Ruler | undefined {
    if (typeof one === "number" && typeof other === "number")
      return numberRuler(this.#reader.alternativeOf(schema, one), this.#decimals);
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
    const ruler = this.rulerFor(place, ...values);
    const units = values.map((value) => ruler?.toUnits(value));
    const [first, second] = units;
    for (const aspect of aspects) {
      if (ruler === undefined || first === undefined || second === undefined || first === second) {
        if (values.every(isScalar)) this.#leap([one, other], aspect, path);
      } else {
        const span = { low: Math.min(first, second), high: Math.max(first, second) };
        this.#narrow(first < second ? one : other, span, aspect, path, ruler);
      }
    }
  }

  /** Values that are no measure of anything, such as members of an enumeration, have no neighbours. */
  #leap(trials: readonly [Trial, Trial], aspect: Aspect, path: Path): void {
    const name = `${patternOf(path)} ${aspect.name} ${trials.map((trial) => aspect.of(trial)).join("→")}`;
    const count = this.#leaps.get(name) ?? 0;
    this.#leaps.set(name, count + 1);
    if (count < mostLeaps) this.#borders.add(aspect.name, path, trials);
  }

  #narrow(base: Trial, span: Threshold, aspect: Aspect, path: Path, ruler: Ruler): void {
    const at: At = (units) => this.#subject.try(withValue(base.input, path, ruler.fromUnits(units)));
    const high = at(span.high);
    let low = at(span.low);
    let lowUnits = span.low;
    for (let part = 0; part < mostParts && low !== undefined && high !== undefined; part += 1) {
      if (aspect.of(low) === aspect.of(high)) return;
      const found = this.#threshold(
        { low: lowUnits, high: span.high, below: low, above: high },
        aspect,
        path,
        at,
      );
      if (found === undefined) return;
      this.#borders.add(aspect.name, path, [found.below, found.above]);
      // There may be another one between this one and the end.
      low = found.above;
      lowUnits = found.high;
    }
  }

  /** One that is known from other inputs, if it holds for this one too, else a new one. */
  #threshold(span: Span, aspect: Aspect, path: Path, at: At): Span | undefined {
    const key = `${patternOf(path)} ${aspect.name} ${aspect.of(span.below)}→${aspect.of(span.above)}`;
    const known = this.#thresholds.get(key) ?? [];
    this.#thresholds.set(key, known);
    for (const { low, high } of known) {
      if (low < span.low || high > span.high) continue;
      const below = at(low);
      const above = at(high);
      if (below === undefined || above === undefined) continue;
      if (aspect.of(below) === aspect.of(span.below) && aspect.of(above) !== aspect.of(below))
        return { low, high, below, above };
    }
    if (known.length >= mostThresholds) return undefined;
    const found = bisect(span, aspect, at);
    known.push({ low: found.low, high: found.high });
    this.#refine(found.below, found.above, key, aspect, path);
    return found;
  }

  /** Looks between neighbours once more, in smaller steps, for what may lie hidden there. The border stays readable. */
  #refine(below: Trial, above: Trial, key: string, aspect: Aspect, path: Path): void {
    const low = valueAt(below.input, path);
    const high = valueAt(above.input, path);
    if (typeof low !== "number" || typeof high !== "number") return;
    const name = `${key} ${low} ${high}`;
    if (this.#refined.has(name) || Number.isInteger(low - high)) return;
    this.#refined.add(name);
    const ruler = numberRuler({}, this.#decimals + finerDecimals);
    const span = { low: ruler.toUnits(low), high: ruler.toUnits(high) };
    if (span.low === undefined || span.high === undefined) return;
    const at: At = (units) => this.#subject.try(withValue(below.input, path, ruler.fromUnits(units)));
    bisect({ low: span.low, high: span.high, below, above }, aspect, at);
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

interface Span extends Threshold {
  readonly below: Trial;
  readonly above: Trial;
}

/** Halves a span until its ends are neighbours, or what lies between them is not valid. */
function bisect(span: Span, aspect: Aspect, at: At): Span {
  let { low, high, below, above } = span;
  const before = aspect.of(below);
  for (let step = 0; step < mostSteps && high - low > 1; step += 1) {
    const units = Math.floor((low + high) / 2);
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

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function longer<Value extends string | readonly unknown[]>(one: Value, other: Value): Value {
  return one.length >= other.length ? one : other;
}
