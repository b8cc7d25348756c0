import type { Band, Bands, Flip } from "@decern/core";
import type { Grid } from "./grids.js";
import { type Answer, flipOf, isFlip, isRuleFlip, type Path, type Trials } from "./trials.js";

/** Values spread evenly over a grid that is too large to try them all. */
const evenly = 64;

/** What was found out about a number or a date. */
export interface GridFindings {
  /** Nearest first. */
  readonly flips: readonly Flip[];
  readonly bands: Bands;
}

/**
 * Tries the values of a grid. Of one with parts within which nothing changes, both ends of each are tried. A small grid is tried as a whole. A large one is sampled, changes between neighbouring samples are
 * narrowed down by halves, and what is nearer than the nearest change is tried too. Yields after each evaluation.
 *
 * @param budget - evaluations
 */
export function* searchGrid(
  trials: Trials,
  path: Path,
  grid: Grid,
  budget: number,
): Generator<void, GridFindings> {
  const until = trials.left - budget;
  const answers = new Map<number, Answer>();
  const hasBudget = (reserve = 0): boolean => trials.left - reserve > Math.max(0, until);
  function* tryAt(place: number): Generator<void, Answer | undefined> {
    const known = answers.get(place);
    if (known !== undefined || place < grid.lowest || place > grid.highest || !hasBudget()) return known;
    const answer = trials.evaluate(path, grid.valueAt(place));
    answers.set(place, answer);
    yield;
    return answer;
  }
  const size = grid.highest - grid.lowest + 1;
  const isSmall = size <= budget;
  const hasParts = !isSmall && (yield* tryParts(trials, path, grid, tryAt));
  if (isSmall) {
    for (let place = grid.lowest; place <= grid.highest; place += 1) yield* tryAt(place);
  } else if (!hasParts) {
    // Half of the budget, so that the other half narrows changes down.
    const reserve = budget / 2;
    for (const place of samplesOf(grid)) if (hasBudget(reserve)) yield* tryAt(place);
    yield* narrowDown(answers, tryAt, hasBudget);
  }
  const flips: Flip[] = [];
  for (const changes of [isFlip, isRuleFlip]) {
    const found = yield* findNearest(grid, answers, changes, hasParts ? undefined : tryAt);
    if (found === undefined) continue;
    const { place, answer, isNearest } = found;
    const flip = flipOf(grid.valueAt(place), answer, isNearest);
    if (flips[0]?.to !== flip.to) flips.push(flip);
  }
  const places = [...answers.keys()].sort((one, other) => one - other);
  const exact = hasParts || places.length === size;
  return { flips, bands: { step: grid.step, exact, list: bandsOf(grid, places, answers) } };
}

type TryAt = (place: number) => Generator<void, Answer | undefined>;

/**
 * Tries both ends of each part.
 *
 * @returns whether that tells all: not where the budget ends first, or where validation refuses or changes a value, since parts are
 *   about what it returns
 */
function* tryParts(
  trials: Trials,
  path: Path,
  { parts = [], highest, valueAt }: Grid,
  tryAt: TryAt,
): Generator<void, boolean> {
  if (parts.length === 0) return false;
  const ends = parts.map((_from, index) => (parts[index + 1] ?? highest + 1) - 1);
  for (const place of new Set(parts.flatMap((from, index) => [from, ends[index] ?? from]))) {
    if (!trials.keeps(path, valueAt(place))) return false;
    if ((yield* tryAt(place)) === undefined) return false;
  }
  return true;
}

/** The places to look at first, by what they are likely to tell. */
function* samplesOf({ lowest, highest, origin, hints }: Grid): Generator<number> {
  const middle = Math.round(origin);
  yield middle;
  yield lowest;
  yield highest;
  for (const hint of hints) for (const place of [hint - 1, hint, hint + 1]) yield place;
  for (let away = 1; away <= highest - lowest; away *= 2) {
    yield middle - away;
    yield middle + away;
  }
  for (let part = 1; part < evenly; part += 1) {
    yield lowest + Math.round(((highest - lowest) * part) / evenly);
  }
}

/** Halves the distance between neighbours with different results, until nothing lies between them. */
function* narrowDown(
  answers: ReadonlyMap<number, Answer>,
  tryAt: TryAt,
  hasBudget: () => boolean,
): Generator<void, void> {
  const places = [...answers.keys()].sort((one, other) => one - other);
  const pairs = places.slice(1).map((to, index) => [places[index] ?? to, to] as const);
  for (const pair of pairs) {
    let [from, to] = pair;
    while (to - from > 1 && hasBudget() && differ(answers.get(from), answers.get(to))) {
      const middle = from + Math.floor((to - from) / 2);
      const answer = yield* tryAt(middle);
      // What lies between may be a third one. Its other edge is then one that the samples miss.
      if (differ(answers.get(from), answer)) to = middle;
      else from = middle;
    }
  }
}

function differ(one: Answer | undefined, other: Answer | undefined): boolean {
  return (
    one?.status !== other?.status || one?.rule !== other?.rule || one?.changesOutput !== other?.changesOutput
  );
}

/**
 * The nearest change among those that were tried, and then among the values that are nearer still.
 *
 * @param tryAt - `undefined` if none of those is a change
 */
function* findNearest(
  { origin, lowest, highest }: Grid,
  answers: ReadonlyMap<number, Answer>,
  changes: (answer: Answer) => boolean,
  tryAt: TryAt | undefined,
): Generator<void, { place: number; answer: Answer; isNearest: boolean } | undefined> {
  let best: { place: number; answer: Answer } | undefined;
  for (const [place, answer] of answers) {
    if (!changes(answer)) continue;
    if (best === undefined || Math.abs(place - origin) < Math.abs(best.place - origin))
      best = { place, answer };
  }
  if (best === undefined) return undefined;
  if (tryAt === undefined) return { ...best, isNearest: true };
  const distance = Math.abs(best.place - origin);
  let [down, up] = [Math.ceil(origin) - 1, Math.floor(origin) + 1];
  for (;;) {
    const place = origin - down <= up - origin ? down : up;
    if (Math.abs(place - origin) >= distance) return { ...best, isNearest: true };
    if (place === down) down -= 1;
    else up += 1;
    if (place < lowest || place > highest) continue;
    const answer = yield* tryAt(place);
    if (answer === undefined) return { ...best, isNearest: false };
    if (changes(answer)) return { place, answer, isNearest: true };
  }
}

function bandsOf(grid: Grid, places: readonly number[], answers: ReadonlyMap<number, Answer>): Band[] {
  const list: Band[] = [];
  let last: Answer | undefined;
  for (const place of places) {
    const answer = answers.get(place);
    if (answer === undefined || answer.status.startsWith("INVALID")) {
      last = undefined;
      continue;
    }
    const to = grid.valueAt(place);
    const band = list.at(-1);
    if (band !== undefined && last?.status === answer.status && last.rule === answer.rule) {
      list[list.length - 1] = { ...band, to };
    } else {
      const rule = answer.rule === undefined ? {} : { matchedRule: answer.rule };
      list.push({ from: to, to, status: answer.status, ...rule });
    }
    last = answer;
  }
  return list;
}
