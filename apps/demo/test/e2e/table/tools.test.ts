import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bulkFile } from "@decern/bulk";
import { createEvaluator, type Decision, withProfile } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { replay } from "@decern/replay";
import { checkLock, explore, updateLock } from "@decern/testing";
import { expect, it } from "vitest";
import { carriers, feeTable, hashOf, heavy, profiles, temporaryFolder } from "./fee-table.js";

const module = (decision: Decision) => ({ decisions: [decision], profiles });

it("bulk: each line of a file has its row, or its problem", async () => {
  const folder = temporaryFolder();
  const input = join(folder, "parcels.ndjson");
  const lines = [heavy, { zone: "abroad", weight: 1 }, { zone: "moon", weight: 1 }];
  writeFileSync(input, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const output = join(folder, "out");
  const { counts } = await bulkFile({ input, output, work: { decision: feeTable(), profiles } });
  expect(counts).toMatchObject({ OK: 2, INVALID_INPUT: 1 });
  const results = readFileSync(join(output, "part-00000.ndjson"), "utf8").trim().split("\n");
  expect(results.map((line) => JSON.parse(line))).toMatchObject([
    { line: 1, status: "OK", data: { fee: 6 }, matchedRule: "heavy" },
    { line: 2, status: "OK", data: { fee: 20 }, matchedRule: "abroad" },
    { line: 3, status: "INVALID_INPUT" },
  ]);
});

it("records and replay: an edited table changes the records of its rows, from what the log kept", async () => {
  const log = decisionLog({
    store: ndjsonFiles(temporaryFolder()),
    durable: "reply",
    logger: { error: () => {} },
  });
  const evaluator = createEvaluator({ log });
  for (const zone of ["home", "abroad", "abroad"] as const)
    await evaluator.evaluate(withProfile(feeTable(), profiles["shipping-fee"]), {
      input: { zone, weight: 3 },
    });
  expect(await log.content(hashOf(feeTable()))).toMatchObject({
    document: { table: "shipping-fee", hitPolicy: "U" },
  });
  expect(await log.verify()).toMatchObject({ ok: true, records: 3 });
  const report = await replay(log, module(feeTable({ version: "1.1.0", abroad: 22 })), { baseline: "log" });
  expect(report).toMatchObject({ controlled: 3, counts: { unchanged: 1, changed: 2, notReproducible: 0 } });
  const [{ matrix, numbers } = { matrix: [], numbers: [] }] = report.decisions;
  expect(matrix).toMatchObject([
    {
      from: "OK/abroad",
      to: "OK/abroad",
      changed: 2,
    },
    { from: "OK/heavy", to: "OK/heavy", unchanged: 1 },
  ]);
  expect(matrix[0]?.examples[0]).toMatchObject({
    before: { data: { fee: 20 } },
    after: { data: { fee: 22 } },
  });
  expect(numbers).toMatchObject([{ pointer: "/fee", count: 2, higher: 2, quantiles: { min: 2, max: 2 } }]);
  await log.close();
});

it("lock: a limit that moves by the smallest step is found, in an input at the limit", () => {
  const { lock } = updateLock(module(feeTable()), undefined, { runs: 3000 });
  if (lock === undefined) throw new Error("nothing was locked");
  expect(checkLock(module(feeTable()), lock).differences).toEqual([]);
  const { differences } = checkLock(module(feeTable({ limit: 2.5 })), lock);
  expect(differences).toMatchObject([
    { decisionId: "shipping-fee", version: "1.0.0", smallest: { input: { zone: "home", weight: 2.5 } } },
  ]);
  expect(checkLock(module(feeTable({ abroad: 20.01 })), lock).differences).toMatchObject([
    { smallest: { input: { zone: "abroad" } } },
  ]);
  expect(checkLock(module(feeTable({ version: "1.1.0", abroad: 22 })), lock)).toMatchObject({
    differences: [],
    unlocked: ["shipping-fee@1.1.0"],
    gone: ["shipping-fee@1.0.0"],
  });
});

it("explore: every row is reached, with both sides of a limit, and rows that are hit together", () => {
  const found = explore(feeTable(), { profiles, runs: 3000 });
  expect(found.coverage).toBe(1);
  expect(found.noMatch).toBeUndefined();
  expect(found.faults).toEqual([]);
  const weights = found.boundaries.flatMap(({ witnesses }) =>
    witnesses.map(({ input }) => Reflect.get(Object(input), "weight")),
  );
  expect(weights).toEqual(expect.arrayContaining([2, 2.5]));
  const together = explore(carriers, { runs: 3000 });
  expect(together.overlaps.map(({ rules }) => rules)).toEqual([["post", "courier"]]);
});
