import type { RuleState, Rung } from "../model/reply.js";

/** Rules that ended alike, one after another. */
export interface RungRun {
  readonly state: RuleState;
  readonly rungs: readonly Rung[];
  /** Whether there are so many that a line says it for all of them. */
  readonly folded: boolean;
}

/** As many fit beside the outcome; more would push it off the screen. */
const mostShown = 6;

/** The rules of a ladder, in order, with long runs of rules that did not match or were not reached folded. */
export function foldedRungs(rungs: readonly Rung[]): readonly RungRun[] {
  const runs: { state: RuleState; rungs: Rung[] }[] = [];
  for (const rung of rungs) {
    const last = runs.at(-1);
    if (last?.state === rung.state) last.rungs.push(rung);
    else runs.push({ state: rung.state, rungs: [rung] });
  }
  return runs.map(({ state, rungs }) => ({
    state,
    rungs,
    folded: (state === "miss" || state === "unreached") && rungs.length > mostShown,
  }));
}
