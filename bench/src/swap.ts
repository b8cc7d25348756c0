import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { createServer } from "@decern/server";
import { watchDecisions } from "@decern/watch";
import { feeContract, feeFileBytes } from "./contestants/fee-contestants.js";
import { median } from "./measure/statistics.js";
import { feeRows } from "./workload/fee-rows.js";

// What it costs to replace a table while a service runs: processor time, the longest time for which the event loop stands still,
// and what is left in memory of the tables before. Tables of more than 1,000 rows are compared in a thread.
// node bench/dist/swap.js

const swaps = 20;

async function swapTables(count: number): Promise<void> {
  // Two files that alternate: a file that is the same as before is not a change.
  const files = [0, 1].map((more) =>
    feeFileBytes(feeRows(count).map((row) => ({ ...row, fee: row.fee + more }))),
  );
  let round = 0;
  let wake = (): void => {};
  let loaded = (): void => {};
  const decisions = watchDecisions({
    contracts: [feeContract],
    sameVersion: "allow",
    load: () => ({
      revision: `${round}`,
      decisions: [{ name: "fee.json", bytes: files[round % 2] ?? new Uint8Array() }],
    }),
    wake: (next) => {
      wake = next;
      return undefined;
    },
  });
  const first = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  const server = createServer({
    decisions,
    logger: false,
    observers: [{ onEvaluated() {}, onDecisionsLoaded: () => loaded() }],
  });
  await first;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = heapMiB();
  const milliseconds: number[] = [];
  const pauses: number[] = [];
  for (round = 1; round <= swaps; round += 1) {
    delay.reset();
    delay.enable();
    // It measures from its first timer to the one after the load.
    await setTimeout(5);
    const used = process.cpuUsage();
    const done = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    wake();
    await done;
    const { user, system } = process.cpuUsage(used);
    await setTimeout(5);
    delay.disable();
    milliseconds.push((user + system) / 1000);
    pauses.push(delay.max / 1e6);
  }
  const reply = await server.handler.inject("/decisions");
  assert.equal(reply.statusCode, 200);
  assert.match(reply.body, new RegExp(`"revision":"${swaps}"`));
  const after = heapMiB();
  await server.close();
  console.log(
    `${count} rows: CPU ${median(milliseconds).toFixed(0)} ms a swap, longest pause ${median(pauses).toFixed(0)} ms; ` +
      `heap ${before.toFixed(1)} MiB, after ${swaps} swaps ${after.toFixed(1)}`,
  );
}

function heapMiB(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const [, , rows] = process.argv;
if (rows === undefined) {
  for (const count of ["500", "1000", "5000"]) {
    const child = fork(new URL(import.meta.url), [count], { execArgv: ["--expose-gc"] });
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
  }
} else {
  await swapTables(Number(rows));
}
