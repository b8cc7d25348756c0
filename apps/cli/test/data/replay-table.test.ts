import { createEvaluator } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { replay } from "@decern/replay";
import { readTable, tableContract } from "@decern/table";
import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "./support.js";

const contract = tableContract({
  id: "fee",
  inputSchema: z.object({ weight: z.number().min(0) }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({}),
});

function feeTable(heavy: number, version = "1.0.0") {
  const lines = ["table,fee", `version,${version}`, "hit policy,U", "rule,weight,→ fee"];
  const rows = ["light,<= 2,5", `heavy,> 2,${heavy}`];
  return readTable(contract, { name: "fee.csv", bytes: Buffer.from([...lines, ...rows].join("\n")) });
}

it("a table is replayed against the one that the log kept, which the repository no longer has", async () => {
  const log = decisionLog({ store: ndjsonFiles(temporaryFolder()), durable: "reply" });
  const evaluator = createEvaluator({ log });
  for (const weight of [1, 2, 3]) await evaluator.evaluate(feeTable(7), { input: { weight } });
  const report = await replay(log, { decisions: [feeTable(8)] }, { baseline: "log" });
  expect(report).toMatchObject({ controlled: 3, counts: { unchanged: 2, changed: 1, notReproducible: 0 } });

  const narrower = tableContract({ ...contract, inputSchema: z.object({ parcel: z.number() }) });
  const bytes = Buffer.from("table,fee\nversion,1.0.0\nhit policy,F\nrule,parcel,→ fee\nall,-,1");
  const other = readTable(narrower, { name: "fee.csv", bytes });
  const without = await replay(log, { decisions: [other] }, { baseline: "log" });
  expect(without).toMatchObject({ controlled: 0 });
  await log.close();
});
