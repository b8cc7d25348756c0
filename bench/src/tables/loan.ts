import { check } from "../contestants/check.js";
import type { Contestant } from "../contestants/contestant.js";
import {
  decernName,
  evaluatorContestants,
  evaluatorWithHooks,
  evaluatorWithMetrics,
  evaluatorWithObserver,
  evaluatorWithTracing,
  peerContestants,
  referenceName,
  validatingContestants,
} from "../contestants/loan-contestants.js";
import { type Entry, findTiming, measure, type Timing } from "../measure/rounds.js";
import type { Sizes } from "../sizes.js";
import { loanRings, type Ring, type Sample } from "../workload/loan-rings.js";
import type { InProcessTable } from "./in-process-table.js";
import { atLeast, atMost, round } from "./table.js";

const loanNote = "ns per evaluation.";

/** W1: one table for each ring, peers where they can take part. */
export function loanTable(ringName: Ring["name"]): InProcessTable {
  return {
    async time(sizes) {
      const peers = ringName === "invalid" ? [] : await peerContestants();
      return timeLoan(
        [...validatingContestants(), ...peers],
        loanSamples(ringName, sizes),
        referenceName,
        sizes,
      );
    },
    table(timings) {
      const decern = findTiming(timings, decernName);
      const targets = [
        atMost(
          `evaluate against the reference, ${ringName}`,
          ringName === "invalid" ? 1.2 : 1.15,
          decern.ratio,
          "×",
        ),
      ];
      for (const { name, limit } of [
        { name: "Zod validators, loop", limit: 15 },
        { name: "json-rules-engine", limit: 200 },
        { name: "GoRules zen", limit: 200 },
      ]) {
        const peer = timings.find((timing) => timing.name === name);
        if (peer !== undefined && ringName === "mix")
          targets.push(atLeast(`faster than ${name}`, limit, peer.ratio / decern.ratio, "×"));
      }
      return {
        title: `W1 loan-approval, ring: ${ringName}`,
        note: loanNote,
        columns: ["", "ns", "±", "×"],
        rows: timings.map(loanFigures),
        targets,
      };
    },
  };
}

function loanFigures({ name, ns, spread, ratio }: Timing): readonly (string | number)[] {
  return [name, round(ns), `${round(spread * 100)} %`, round(ratio)];
}

/** What hooks and observers cost over `evaluate`, on W1's mix. */
export const evaluatorTable: InProcessTable = {
  time: (sizes) => timeLoan(evaluatorContestants(), loanSamples("mix", sizes), decernName, sizes),
  table: (timings) => ({
    title: "The whole evaluator, W1 mix",
    note: loanNote,
    columns: ["", "ns", "±", "×", "more"],
    rows: timings.map((timing) => [...loanFigures(timing), round(timing.extraNs)]),
    targets: [
      atMost(
        "evaluator with metrics, more than evaluate",
        100,
        findTiming(timings, evaluatorWithMetrics).extraNs,
        " ns",
      ),
      atMost(
        "OpenTelemetry without an SDK, more than an observer",
        50,
        findTiming(timings, evaluatorWithTracing).extraNs -
          findTiming(timings, evaluatorWithObserver).extraNs,
        " ns",
      ),
      atMost("three asynchronous hooks", 1200, findTiming(timings, evaluatorWithHooks).ns, " ns"),
    ],
  }),
};

export function loanSamples(name: Ring["name"], sizes: Sizes): readonly Sample[] {
  return loanRings(sizes.ring).find((ring) => ring.name === name)?.samples ?? [];
}

export async function timeLoan(
  contestants: readonly Contestant[],
  samples: readonly Sample[],
  baseline: string,
  sizes: Sizes,
): Promise<readonly Timing[]> {
  for (const contestant of contestants) await check(contestant, samples);
  const inputs = samples.map(({ input }) => input);
  const entries = contestants.map(({ name, asynchronous, evaluate }): Entry => {
    return { name, asynchronous, run: (index) => evaluate(inputs[index % inputs.length]) };
  });
  return measure(entries, baseline, sizes);
}
