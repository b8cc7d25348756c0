import { evaluateMany } from "@decern/core";
import { median, spread } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { natsRuns } from "../workers/nats-runs.js";
import { postgresRuns } from "../workers/postgres-runs.js";
import { loanDecision } from "../workload/decisions.js";
import { theProfile } from "../workload/loan-approval.js";
import { loanRings } from "../workload/loan-rings.js";
import { round, type Table } from "./table.js";

/** One worker on each source, beside what the source itself can do. */
export async function workerTable(sizes: Sizes): Promise<Table> {
  const { items, rounds } = sizes.worker;
  const mix = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
  const inputs = Array.from({ length: items }, (_, index) => mix[index % mix.length]?.input);
  const lines = inputs.map((input) => JSON.stringify(input));
  const results = evaluateMany(loanDecision(), inputs, { profile: theProfile }).map((result) =>
    JSON.stringify(result),
  );
  const found = {
    PostgreSQL: await postgresRuns(lines, results, sizes.worker),
    "nats-server": await natsRuns(lines, rounds),
  };
  return {
    title: "Workers, W1 mix",
    note: `${items} inputs, compact results; server and workers share the cores. Limits: COPY of as many results into a table with a key, and a consumer that only acknowledges. ${rounds} rounds.`,
    columns: ["", "inputs/s", "±", "share of the limit"],
    rows: Object.entries(found).flatMap(([program, runs]) => {
      if (runs === undefined) return [[`${program} is not installed`, "skipped", "", ""]];
      const limit = median(runs[0]?.seconds ?? []);
      return runs.map(({ name, seconds }) => [
        name,
        round(items / median(seconds)),
        `${round(spread(seconds) * 100)} %`,
        round(limit / median(seconds)),
      ]);
    }),
    targets: [],
  };
}
