import { type Path, patternOf, pointerOf, valueAt } from "../values/json-path.js";
import type { Trial } from "./trial.js";

/** Two inputs that differ in one place, and behave differently. */
export interface Border {
  readonly path: Path;
  readonly trials: readonly [Trial, Trial];
}

interface Kept extends Border {
  /** How many inputs showed it. A threshold that is written down shows again and again, a computed one does not. */
  count: number;
}

const mostOfOneKind = 12;
const mostComputed = 2;

/** Collects the borders that a search comes across. */
export class Borders {
  /** By place and aspect, then by values. */
  readonly #kept = new Map<string, Map<string, Kept>>();

  /** @param isWritten - whether it is known not to be computed */
  add(aspect: string, path: Path, trials: readonly [Trial, Trial], isWritten = false): void {
    const group = `${patternOf(path)} ${aspect}`;
    const borders = this.#kept.get(group) ?? new Map<string, Kept>();
    this.#kept.set(group, borders);
    const values = JSON.stringify(trials.map(({ input }) => String(JSON.stringify(valueAt(input, path)))));
    const known = borders.get(values);
    const isBetter = known === undefined || (!areDecidedApart(known.trials) && areDecidedApart(trials));
    borders.set(values, {
      ...(isBetter ? { path, trials } : known),
      count: (known?.count ?? 0) + (isWritten ? 2 : 1),
    });
  }

  /** Where another rule decides, and where the same rule answers something else. */
  get chosen(): { readonly boundaries: readonly Border[]; readonly steps: readonly Border[] } {
    const boundaries = new Map<string, Border>();
    const steps = new Map<string, Border>();
    for (const borders of this.#kept.values()) {
      const all = [...borders.values()].sort((one, other) => other.count - one.count);
      const written = all.filter(({ count }) => count > 1).slice(0, mostOfOneKind);
      for (const { path, trials } of written.length > 0 ? written : all.slice(0, mostComputed)) {
        const [one, other] = trials;
        const values = trials.map(({ input }) => String(JSON.stringify(valueAt(input, path))));
        const key = [pointerOf(path), ...values, one.outcome, other.outcome].join("\n");
        const place = areDecidedApart(trials) ? boundaries : steps;
        const isStep = one.outcome !== other.outcome || areAnsweredApart(one, other);
        if (isStep && !place.has(key)) place.set(key, { path, trials });
      }
    }
    return { boundaries: [...boundaries.values()], steps: [...steps.values()] };
  }
}

function areDecidedApart([one, other]: readonly [Trial, Trial]): boolean {
  return one.outcome !== other.outcome;
}

function areAnsweredApart(one: Trial, other: Trial): boolean {
  return (
    one.outputs.size !== other.outputs.size ||
    [...one.outputs].some(([place, value]) => other.outputs.get(place) !== value)
  );
}
