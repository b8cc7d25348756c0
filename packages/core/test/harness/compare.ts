import type { Driver } from "./driver.js";
import { Journal } from "./journal.js";
import type { Play } from "./plays.js";
import { createWorld, type World } from "./world.js";

/** A play that two cores ended differently. */
export interface Difference {
  readonly play: string;
  readonly line: number;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

/** So many plays wait at the same time: for their time-outs, for the most part. */
const atOnce = 64;

/**
 * Plays everything on both cores, and compares all that anybody saw.
 *
 * @param enough - how many differences end it
 */
export async function compare(
  plays: readonly Play[],
  before: Driver,
  now: Driver,
  enough = Number.POSITIVE_INFINITY,
): Promise<readonly Difference[]> {
  const worlds = { before: createWorld(before.core), now: createWorld(now.core) };
  const differences: Difference[] = [];
  for (let start = 0; start < plays.length && differences.length < enough; start += atOnce) {
    const found = await Promise.all(
      plays.slice(start, start + atOnce).map(async (play) => {
        const [old, own] = await Promise.all([
          linesOf(play, before, worlds.before),
          linesOf(play, now, worlds.now),
        ]);
        const line = firstOther(old, own);
        return line === undefined ? [] : [{ play: play.name, line, before: old[line], now: own[line] }];
      }),
    );
    differences.push(...found.flat());
  }
  return differences;
}

/** One of each kind: most differences have the same cause. */
export function kindsOf(differences: readonly Difference[]): readonly Difference[] {
  const kinds = new Map<string, Difference>();
  for (const difference of differences) {
    const kind = `${difference.before?.split(" ", 2).join()} ${difference.now?.split(" ", 2).join()}`;
    if (!kinds.has(kind)) kinds.set(kind, difference);
  }
  return [...kinds.values()].slice(0, 12);
}

async function linesOf(play: Play, driver: Driver, world: World): Promise<readonly string[]> {
  const journal = new Journal();
  await play.run({ driver, world, journal });
  return journal.lines;
}

/** A play that noted nothing compares nothing, which counts as a difference. */
function firstOther(one: readonly string[], other: readonly string[]): number | undefined {
  if (one.length === 0) return 0;
  const most = Math.max(one.length, other.length);
  for (let line = 0; line < most; line += 1) if (one[line] !== other[line]) return line;
  return undefined;
}
