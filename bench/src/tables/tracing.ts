import { observedName, tracingContestants, withoutSdkName } from "../contestants/tracing-contestants.js";
import { findTiming } from "../measure/rounds.js";
import type { InProcessTable } from "./in-process-table.js";
import { loanFigures, loanNote, loanSamples, timeLoan } from "./loan.js";
import { atMost, round } from "./table.js";

/** What `@decern/otel` costs where no SDK is, on W1's mix. */
export const tracingTable: InProcessTable = {
  time: (sizes) => timeLoan(tracingContestants(), loanSamples("mix", sizes), observedName, sizes),
  table: (timings) => ({
    title: "OpenTelemetry, W1 mix",
    note: loanNote,
    columns: ["", "ns", "±", "×", "more"],
    rows: timings.map((timing) => [...loanFigures(timing), round(timing.extraNs)]),
    targets: [
      atMost(
        "OpenTelemetry without an SDK, more than an observer",
        50,
        findTiming(timings, withoutSdkName).extraNs,
        " ns",
      ),
    ],
  }),
};
