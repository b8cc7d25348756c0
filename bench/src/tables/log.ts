import {
  logContestants,
  withBatchLog,
  withDurableReplies,
  withMask,
  withoutLog,
} from "../log/log-contestants.js";
import { inTemporaryFolder } from "../log/temporary-folder.js";
import { measureCpu } from "../measure/cpu-rounds.js";
import { findTiming } from "../measure/rounds.js";
import { loanRings } from "../workload/loan-rings.js";
import type { InProcessTable } from "./in-process-table.js";
import { atMost, round } from "./table.js";

/** What a decision log adds to an evaluation, on W1's mix. */
export const logTable: InProcessTable = {
  time(sizes) {
    return inTemporaryFolder(async (folder) => {
      const samples = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
      const contestants = logContestants(folder, samples, sizes.log.evaluations);
      try {
        for (const contestant of contestants) await contestant.check();
        return await measureCpu(contestants, withoutLog, sizes.log.rounds);
      } finally {
        for (const contestant of contestants) await contestant.close();
      }
    });
  },
  table: (timings) => ({
    title: "Decision log, W1 mix",
    note: "CPU time of all threads in µs per evaluation, 64 evaluations per turn of the event loop, files included.",
    columns: ["", "CPU µs", "±", "more µs"],
    rows: timings.map(({ name, ns, spread, extraNs }) => [
      name,
      round(ns / 1000),
      `${round(spread * 100)} %`,
      round(extraNs / 1000),
    ]),
    targets: [
      atMost("log, batch: more than no log", 4, findTiming(timings, withBatchLog).extraNs / 1000, " µs"),
      atMost(
        "log with a mask and a subject, against one without",
        3,
        findTiming(timings, withMask).extraNs / findTiming(timings, withBatchLog).extraNs,
        "×",
      ),
      atMost(
        "log, every reply durable: more than no log",
        15,
        findTiming(timings, withDurableReplies).extraNs / 1000,
        " µs",
      ),
    ],
  }),
};
