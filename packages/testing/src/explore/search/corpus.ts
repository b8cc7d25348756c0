import { isJsonObject } from "@decern/core/schema";
import type { Random } from "../random.js";
import type { OutputKinds } from "./outputs.js";
import { signatureOf, type Trial } from "./trial.js";

/** Signatures that are told apart; a decision with many rules has more than can be kept. */
const mostSignatures = 300;
const deepest = 6;

/** Inputs that behave differently from one another: what the search goes on from. */
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

/** What is there and what is not: a place that was never filled is never varied. */
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
