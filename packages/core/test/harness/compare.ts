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
        const line = firstOther(wanted(play, old), wanted(play, own));
        if (line === undefined) return [];
        return [{ play: play.name, line, before: wanted(play, old)[line], now: wanted(play, own)[line] }];
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

/** What a callback of a host failed with once its decision had been made. */
const ofCallback = /fault of (?:a late )?(?:onResult|isDenied)|onResult or onDeny did not settle/;

/**
 * Leaves out what the rebuild changes on purpose:
 *
 * - Where a callback fails after the evaluation, `onError` is told the profile, the input and the decision's id that were
 *   evaluated, and the line of the log has the ids of the trace. Before, these were the input before the hook's patch, no
 *   profile, and no ids.
 *   A vandal among the hooks finds more to write to, and so writes something else to the error.
 * - What `onError` does once the evaluation has ended, such as for a late record, has no span: it began after its parent's end.
 * - A hook's time-out says when to try again, as every 503 does.
 */
function wanted({ name }: Play, lines: readonly string[]): readonly string[] {
  let hasEnded = false;
  const isVandal =
    name.includes("hooks: vandal") && lines.some((line) => /^onError /.test(line) && ofCallback.test(line));
  return lines
    .filter((line) => {
      if (line.startsWith("onEnded ")) hasEnded = true;
      return !hasEnded || !/^(?:span of a hook|end of its span) "onError"/.test(line);
    })
    .map((line) => {
      if (/^onError /.test(line) && ofCallback.test(line))
        return line
          .replace(/^onError \{decisionId:"[^"]*"/, "onError {decisionId:<masked>")
          .replace(/input:.*profile:.*\} </, "input:<masked>,profile:<masked>} <");
      if (/^log error "(?:Evaluation failed|onError failed)"/.test(line))
        return line
          .replace(/decisionId:"[^"]*"/, ofCallback.test(line) ? "decisionId:<masked>" : "$&")
          .replace(/,trace_id:.*?span_id:"[^"]*"/, ofCallback.test(line) ? "" : "$&");
      if (isVandal && line.startsWith("fail ")) return "fail <masked>";
      if (line.startsWith("write 503 ") && line.includes("HOOK_TIMEOUT"))
        return line.replace(/,?retry-after:"1"/, "").replace(/ \{\}$/, " undefined");
      return line;
    });
}

/** A play that noted nothing compares nothing, which counts as a difference. */
function firstOther(one: readonly string[], other: readonly string[]): number | undefined {
  if (one.length === 0) return 0;
  const most = Math.max(one.length, other.length);
  for (let line = 0; line < most; line += 1) if (one[line] !== other[line]) return line;
  return undefined;
}
