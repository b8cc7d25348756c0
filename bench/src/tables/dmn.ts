import assert from "node:assert/strict";
import { dmnTable, expressionContestants } from "../contestants/dmn-contestants.js";
import { decernTable, zenTable } from "../contestants/fee-contestants.js";
import { type Entry, findTiming, measure, type Timing } from "../measure/rounds.js";
import { feeRows, shipments } from "../workload/fee-rows.js";
import { interestOf, loans } from "../workload/interest.js";
import type { InProcessTable } from "./in-process-table.js";
import { atMost, round } from "./table.js";

const table = "Decern, DMN table";
const expression = "Decern, DMN literal expression";
const limits: Readonly<Record<string, number>> = { [table]: 5000, [expression]: 1000 };

/** Models of DMN: a table of many rows, and an expression. Inputs differ from one evaluation to the next. */
export const dmnModelsTable: InProcessTable = {
  async time(sizes) {
    const rows = await measure(await tableEntries(sizes.dmnRows), table, sizes);
    return [...rows, ...(await measure(expressionEntries(), expression, sizes))];
  },
  table(timings: readonly Timing[]) {
    const targets = Object.entries(limits).map(([name, limit]) =>
      atMost(`${name}, ns with the envelope`, limit, findTiming(timings, name).ns),
    );
    return {
      title: "DMN models",
      note: "ns per evaluation; × against Decern's DMN table, then its DMN expression. The tables have 3,000 of W4's rows. feelin has no tables, and parses the expression each time.",
      columns: ["", "ns", "±", "×", "limit"],
      rows: timings.map(({ name, ns, spread, ratio }) => [
        name,
        round(ns),
        `${round(spread * 100)} %`,
        round(ratio),
        limits[name] ?? "",
      ]),
      targets,
    };
  },
};

async function tableEntries(count: number): Promise<readonly Entry[]> {
  const rows = feeRows(count);
  const inputs = shipments(rows, 4096);
  const contestants = [dmnTable(rows), decernTable(rows), zenTable(rows)];
  const [first] = contestants;
  for (const { name, evaluate, read } of contestants) {
    for (const input of inputs.slice(0, 64)) {
      const expected = first?.read(first.evaluate(input));
      assert.equal(expected?.status, "OK");
      assert.deepEqual(read(await evaluate(input)), expected, name);
    }
  }
  return contestants.map(({ name, asynchronous, evaluate }) => ({
    name,
    asynchronous,
    run: (index) => evaluate(inputs[index % inputs.length]),
  }));
}

function expressionEntries(): readonly Entry[] {
  const inputs = loans(4096);
  return expressionContestants().map(({ name, evaluate, read }) => {
    for (const input of inputs.slice(0, 256)) {
      const difference = Math.abs(read(evaluate(input)) / interestOf(input) - 1);
      assert.ok(difference < 1e-9, `${name}: ${JSON.stringify(input)}`);
    }
    const [first] = inputs;
    if (first === undefined) throw new RangeError("no inputs");
    return { name, run: (index) => evaluate(inputs[index % inputs.length] ?? first) };
  });
}
