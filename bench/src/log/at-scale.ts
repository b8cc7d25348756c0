import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { createEvaluator, type Evaluator, withProfile } from "@decern/core";
import { type DecisionLog, decisionLog, ndjsonFiles } from "@decern/decision-log";
import { loanDecision } from "../workload/decisions.js";
import { loanId, theProfile } from "../workload/loan-approval.js";
import { loanRings } from "../workload/loan-rings.js";
import { quietLogger } from "./quiet-logger.js";
import { inTemporaryFolder } from "./temporary-folder.js";

// Fills a log with as many records as asked for, and runs what reads all of them, each in a process of its own: time, processor
// time and the most memory that the process had. A run with a tenth of the records shows whether it grows linearly.
// node bench/dist/log/at-scale.js --records 1000000

/** One record in so many belongs to the person who is erased. */
const persons = 10_000;

const steps: Readonly<Record<string, (folder: string, records: number) => Promise<void>>> = {
  fill: (folder, records) =>
    withLog(folder, async (log, evaluateNext) => {
      for (let done = 0; done < records; done += 1) {
        await evaluateNext();
        // Nothing of the log may be left behind: it would refuse records.
        if (done % 5000 === 0) await log.flush();
      }
    }),
  "find the newest 100": (folder) =>
    withLog(folder, async (log) => {
      let found = 0;
      for await (const { recordVersion } of log.find({ newestFirst: true, limit: 100 }))
        found += recordVersion;
      assert.equal(found, 100);
    }),
  verify: (folder, records) =>
    withLog(folder, async (log) => {
      const verification = await log.verify();
      assert.deepEqual([verification.ok, verification.records], [true, records]);
    }),
  erase: (folder, records) =>
    withLog(folder, async (log) => {
      const erased = await log.erase({ subject: "person 7" });
      assert.equal(erased.records, records / persons);
    }),
  "verify once more": (folder, records) =>
    withLog(folder, async (log) => {
      const { ok, chains } = await log.verify();
      assert.ok(ok);
      assert.equal(
        chains.reduce((sum, chain) => sum + chain.withoutPayload, 0),
        records / persons,
      );
    }),
};

async function withLog(
  folder: string,
  work: (log: DecisionLog, evaluateNext: () => unknown) => Promise<void>,
): Promise<void> {
  let next = 0;
  const person = () => `person ${next % persons}`;
  const log = decisionLog({
    store: ndjsonFiles(folder),
    logger: quietLogger,
    subject: { key: "the key of the benchmark", of: { [loanId]: person } },
  });
  const decision = withProfile(loanDecision(), theProfile);
  const samples = loanRings(64).find(({ name }) => name === "mix")?.samples ?? [];
  let evaluator: Evaluator | undefined;
  try {
    await work(log, () => {
      next += 1;
      // Only where something is to be recorded: it opens the store to write.
      evaluator ??= createEvaluator({ log });
      return evaluator.evaluate(decision, { input: samples[next % samples.length]?.input });
    });
  } finally {
    await log.close();
  }
}

async function runStep(name: string, folder: string, records: number): Promise<void> {
  const started = performance.now();
  await steps[name]?.(folder, records);
  const seconds = (performance.now() - started) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime) / 1e6;
  console.log(
    `${records} records, ${name}: ${seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s, ${Math.round(maxRSS / 1024)} MiB`,
  );
}

const { values } = parseArgs({
  options: {
    records: { type: "string", default: "1000000" },
    step: { type: "string" },
    folder: { type: "string" },
  },
});
const records = Number(values.records);
if (values.step !== undefined && values.folder !== undefined) {
  await runStep(values.step, values.folder, records);
} else {
  await inTemporaryFolder(async (folder) => {
    for (const step of Object.keys(steps)) {
      const child = fork(new URL(import.meta.url), [
        "--records",
        values.records,
        "--step",
        step,
        "--folder",
        folder,
      ]);
      const [code] = await once(child, "exit");
      assert.equal(code, 0, step);
    }
  });
}
