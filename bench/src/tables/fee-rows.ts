import assert from "node:assert/strict";
import { analyzeTable } from "@decern/table";
import type { Contestant } from "../contestants/contestant.js";
import {
  closures,
  decernTable,
  decernWideTable,
  feeFile,
  feeTable,
  jsonRulesRows,
  zenTable,
  zenWideTable,
} from "../contestants/fee-contestants.js";
import { type Entry, measure, type Timing } from "../measure/rounds.js";
import { feeRows, shipments } from "../workload/fee-rows.js";
import { firstMet, measuresIn, wideRows } from "../workload/wide-rows.js";
import type { InProcessTable } from "./in-process-table.js";
import { atMost, round } from "./table.js";

/** json-rules-engine takes a hundred milliseconds for more. */
const mostForAll = 1000;

/** W4: a decision table, over inputs that all rows take in turn. */
export const feeRowsTable: InProcessTable = {
  async time(sizes) {
    const timings: Timing[] = [];
    for (const count of sizes.rows) {
      const entries = await contestants(count);
      timings.push(...(await measure(entries, nameOf("Decern table", count), sizes)));
      timings.push(
        ...(await measure(await wideContestants(count), nameOf("Decern table, wide", count), sizes)),
      );
    }
    const largest = Math.max(...sizes.rows);
    return [...timings, ...once(largest)];
  },
  table(timings) {
    const largest = timings.filter(({ name }) => name.startsWith("Decern table"));
    return {
      title: "W4 decision table, the first row that matches",
      note: "ns per evaluation; × against the table of the same rows. Wide: six columns of intervals that many inputs meet. A closure per row traces all rows tried. Reading is from bytes to a decision, once.",
      columns: ["", "ns", "±", "×"],
      rows: timings.map(({ name, ns, spread, ratio }) => [
        name,
        round(ns),
        // What is timed once has neither.
        ...(ratio === 0 ? ["", ""] : [`${round(spread * 100)} %`, round(ratio)]),
      ]),
      targets: largest.map(({ name, ns }) => atMost(`${name}, ns with the envelope`, 3000, ns)),
    };
  },
};

function nameOf(who: string, count: number): string {
  return `${who}, ${count.toLocaleString("en-US")} rows`;
}

async function contestants(count: number): Promise<readonly Entry[]> {
  const rows = feeRows(count);
  const all = [
    decernTable(rows),
    closures(rows),
    zenTable(rows),
    ...(count > mostForAll ? [] : [jsonRulesRows(rows)]),
  ];
  return checked(all, count, shipments(rows, 4096), (input) =>
    rows.find(
      ({ zone, kind, weight, value }) =>
        zone === input.zone &&
        kind === input.kind &&
        weight[0] <= input.weightKg &&
        input.weightKg < weight[1] &&
        value[0] <= input.value &&
        input.value < value[1],
    ),
  );
}

async function wideContestants(count: number): Promise<readonly Entry[]> {
  const rows = wideRows(count);
  const all = [decernWideTable(rows), zenWideTable(rows)];
  return checked(all, count, measuresIn(rows, 4096), (input) => firstMet(rows, input));
}

/** @param rowOf - the row that must decide */
async function checked<Input>(
  all: readonly Contestant[],
  count: number,
  inputs: readonly Input[],
  rowOf: (input: Input) => { readonly id: string; readonly fee: number } | undefined,
): Promise<readonly Entry[]> {
  for (const { evaluate, read } of all) {
    for (const input of inputs.slice(0, 16)) {
      const row = rowOf(input);
      assert.deepEqual(read(await evaluate(input)), { status: "OK", rule: row?.id, data: { fee: row?.fee } });
    }
  }
  return all.map(({ name, asynchronous, evaluate }) => ({
    name: nameOf(name, count),
    asynchronous,
    run: (index) => evaluate(inputs[index % inputs.length]),
  }));
}

/** What takes place once for each table: too long to be repeated in rounds. */
function once(count: number): readonly Timing[] {
  const rows = feeRows(count);
  const timed = (name: string, run: () => unknown): Timing => {
    const started = performance.now();
    run();
    const ns = (performance.now() - started) * 1e6;
    return { name: nameOf(name, count), ns, spread: 0, ratio: 0, extraNs: 0 };
  };
  const decision = feeTable(rows, "U");
  const analysis = timed("Analysis", () => {
    const { overlaps, undecided } = analyzeTable(decision);
    assert.deepEqual([overlaps, undecided], [[], []]);
  });
  const files = (["json", "csv", "xlsx"] as const).map((form) =>
    timed(`Reading ${form.toUpperCase()}`, feeFile(rows, form)),
  );
  return [timed("Reading parsed JSON", () => feeTable(rows)), ...files, analysis];
}
