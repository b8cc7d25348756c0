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

/** Before anything has run, this many say what a decision is about; the rest would push the page off the screen. */
const mostPending = 20;

/** The rules of a ladder, in order, with long runs of rules that ended alike folded. */
export function foldedRungs(rungs: readonly Rung[]): readonly RungRun[] {
  const runs: { state: RuleState; rungs: Rung[] }[] = [];
  for (const rung of rungs) {
    const last = runs.at(-1);
    if (last?.state === rung.state) last.rungs.push(rung);
    else runs.push({ state: rung.state, rungs: [rung] });
  }
  return runs.flatMap(({ state, rungs }): RungRun[] => {
    if (state === "hit" || rungs.length <= (state === "pending" ? mostPending : mostShown)) {
      return [{ state, rungs, folded: false }];
    }
    if (state !== "pending") return [{ state, rungs, folded: true }];
    return [
      { state, rungs: rungs.slice(0, mostShown), folded: false },
      { state, rungs: rungs.slice(mostShown), folded: true },
    ];
  });
}
