import { isJsonObject } from "@decern/core/schema";
import { isSameJson } from "@decern/core/tools";
import { patternOf, withValue } from "../values/json.js";
import type { Random } from "../values/vocabulary.js";
import type { Bisector } from "./bisector.js";
import { type Candidates, neighboursOf } from "./candidates.js";
import { type Place, placesOf, type SchemaReader } from "./schema-reader.js";
import { type OutputKinds, signatureOf, type Trial, type Trials } from "./trials.js";

/** The parts of a search. */
interface SearchParts {
  readonly trials: Trials;
  readonly reader: SchemaReader;
  readonly schema: unknown;
  readonly candidates: Candidates;
  readonly bisector: Bisector;
  readonly corpus: Corpus;
  readonly kinds: OutputKinds;
  readonly random: Random;
}

/** Random inputs before anything is concluded from outputs. */
const warmUpShare = 0.04;

/** A search that finds no input it has not tried before is at an end. */
const patience = 3_000;

const burst = 200;

/** Searches for inputs that behave differently from known ones. */
export class Search {
  readonly #parts: SearchParts;
  /** Places, and how often another value there was seen to change something. */
  readonly #effects = new Map<string, { tried: number; changed: number }>();
  #swept = 0;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Tries inputs until `trials` takes no more, or nothing new comes up. */
  run(seeds: readonly unknown[]): void {
    const { trials, corpus } = this.#parts;
    for (const seed of seeds) this.#try(seed);
    this.#vary(Math.floor(trials.left * warmUpShare));
    while (trials.left > 0 && corpus.trials.length > 0) {
      const before = trials.left;
      this.#sweepNext();
      const used = before - trials.left;
      if (!this.#vary(Math.max(burst, Math.floor(used / 2))) && used === 0) return;
    }
  }

  #try(input: unknown): Trial | undefined {
    const trial = this.#parts.trials.try(input);
    if (trial === undefined) return undefined;
    this.#parts.kinds.add(trial.outputs);
    this.#parts.corpus.add(trial);
    return trial;
  }

  #placesOf(trial: Trial): readonly Place[] {
    return placesOf(this.#parts.reader, this.#parts.schema, trial.input);
  }

  /** Tries everything in every place of the next trial, one place at a time. */
  #sweepNext(): void {
    const trial = this.#parts.corpus.trials[this.#swept];
    if (trial === undefined) return;
    this.#swept += 1;
    const places = this.#placesOf(trial);
    const neighbours = neighboursOf(places);
    for (const place of places) {
      if (this.#parts.trials.left <= 0) return;
      if (!this.#isWorthwhile(place)) continue;
      const tried: Trial[] = [];
      const measured: { readonly units: number; readonly trial: Trial }[] = [];
      const measure = (value: unknown): number | undefined =>
        typeof value === "number" && typeof place.value === "number"
          ? value
          : this.#parts.bisector.rulerFor(place, value, place.value)?.toUnits(value);
      for (const value of this.#parts.candidates.all(place, neighbours)) {
        const found = this.#try(withValue(trial.input, place.path, value));
        if (found === undefined) continue;
        const units = measure(value);
        if (units === undefined || Array.isArray(value)) tried.push(found);
        else measured.push({ units, trial: found });
      }
      const own = measure(place.value);
      if (own !== undefined) measured.push({ units: own, trial });
      measured.sort((one, other) => one.units - other.units);
      let changed = 0;
      for (const [index, { trial: higher }] of measured.entries()) {
        const lower = measured[index - 1]?.trial;
        if (lower !== undefined) changed += this.#compare(lower, higher, place);
      }
      for (const other of tried) changed += this.#compare(trial, other, place);
      this.#note(place, changed);
    }
  }

  #compare(one: Trial, other: Trial, place: Place): number {
    this.#parts.bisector.between(one, other, place);
    const isChanged = one.rules.some(({ outcome }, index) => outcome !== other.rules[index]?.outcome);
    return isChanged || one.outcome !== other.outcome ? 1 : 0;
  }

  /** Places that never changed anything are swept now and then. */
  #isWorthwhile({ path }: Place): boolean {
    const effect = this.#effects.get(patternOf(path));
    return effect === undefined || effect.tried < 3 || effect.changed > 0 || this.#parts.random.chance(0.2);
  }

  #note({ path }: Place, changed: number): void {
    const pattern = patternOf(path);
    const effect = this.#effects.get(pattern) ?? { tried: 0, changed: 0 };
    effect.tried += 1;
    effect.changed += changed;
    this.#effects.set(pattern, effect);
  }

  /** Changes a few places at random. @returns whether any input was new */
  #vary(count: number): boolean {
    const { trials, corpus, random } = this.#parts;
    const end = Math.max(0, trials.left - count);
    const start = trials.left;
    for (let idle = 0; trials.left > end && idle < patience; idle += 1) {
      const before = trials.left;
      const trial = corpus.pick(random);
      if (trial === undefined) return false;
      if (random.chance(0.1)) this.#walk(trial);
      else this.#mutate(trial);
      if (trials.left < before) idle = 0;
    }
    return trials.left < start;
  }

  #mutate(trial: Trial): void {
    const { random, candidates } = this.#parts;
    let input = trial.input;
    for (let change = this.#countOfChanges(); change > 0; change -= 1) {
      const places = placesOf(this.#parts.reader, this.#parts.schema, input);
      const place = random.pick(places.slice(1)) ?? places[0];
      if (place === undefined) return;
      const value = candidates.random(place, neighboursOf(places));
      input = withValue(input, place.path, value);
    }
    this.#try(input);
  }

  #countOfChanges(): number {
    const { random } = this.#parts;
    return random.chance(0.4) ? 1 : random.chance(0.6) ? 2 : 3 + random.below(4);
  }

  /** Goes from one trial to another place by place, and looks closer where something changes on the way. */
  #walk(from: Trial): void {
    const to = this.#parts.corpus.pick(this.#parts.random);
    if (to === undefined) return;
    const there = new Map(this.#placesOf(to).map((place) => [JSON.stringify(place.path), place] as const));
    let current = from;
    for (const place of this.#placesOf(from).slice(1)) {
      const value = there.get(JSON.stringify(place.path))?.value;
      if (value === undefined || typeof value === "object" || isSameJson(value, place.value)) continue;
      const next = this.#try(withValue(current.input, place.path, value));
      if (next === undefined) continue;
      this.#parts.bisector.between(current, next, place);
      current = next;
    }
  }
}

/** Signatures that are distinguished; a decision with many rules has more than can be kept. */
const mostSignatures = 300;

const deepest = 6;

/** Inputs that behave differently from one another: what the search continues from. */
export class Corpus {
  readonly #kinds: OutputKinds;
  readonly #features = new Set<string>();
  readonly #trials: Trial[] = [];
  #signatures = 0;

  constructor(kinds: OutputKinds) {
    this.#kinds = kinds;
  }

  get trials(): readonly Trial[] {
    return this.#trials;
  }

  /** Keeps a trial that shows something new. */
  add(trial: Trial): boolean {
    let isNew = false;
    for (const feature of this.#featuresOf(trial)) {
      if (this.#features.has(feature)) continue;
      if (feature.startsWith("rules ")) {
        if (this.#signatures >= mostSignatures) continue;
        this.#signatures += 1;
      }
      this.#features.add(feature);
      isNew = true;
    }
    if (isNew) this.#trials.push(trial);
    return isNew;
  }

  /** One of them, the last ones rather than the first. */
  pick(random: Random): Trial | undefined {
    const { length } = this.#trials;
    const isRecent = random.chance(0.3) && length > 8;
    return this.#trials[isRecent ? length - 1 - random.below(8) : random.below(length)];
  }

  #featuresOf(trial: Trial): readonly string[] {
    const features = [`rules ${signatureOf(trial)}`];
    for (const [place, value] of trial.outputs)
      if (this.#kinds.isOneOfFew(place)) features.push(`output ${place} ${value}`);
    addShapes(features, trial.input, "", 0);
    return features;
  }
}

/** Adds the shape of a value: the search varies only members that some input has. */
function addShapes(features: string[], value: unknown, place: string, depth: number): void {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    features.push(`shape ${place} ${Math.min(value.length, 3)}`);
    for (const item of value.slice(0, 3)) addShapes(features, item, `${place}/*`, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value).slice(0, 100))
      addShapes(features, member, `${place}/${name}`, depth + 1);
  } else features.push(`shape ${place} ${value === null ? "null" : typeof value}`);
}
