import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { createServer } from "@decern/server";
import { expect, it, onTestFinished } from "vitest";
import { collect } from "../../../../test/support/collect.js";
import { documentedFee, hashOf } from "../../../../test/support/documented-fee.js";

it("a server that keeps records in files records what its decision of logic was made from", async () => {
  const directory = await mkdtemp(join(tmpdir(), "decern-contents-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const [old, current] = [
    { light: 5, any: 7 },
    { light: 5, any: 8 },
  ];
  const log = decisionLog({ store: ndjsonFiles(directory), durable: "reply" });
  const { handler } = createServer({
    decisions: [documentedFee(old, "1.0.0"), documentedFee(current, "2.0.0")],
    versions: { fee: { default: "2.0.0" } },
    log,
    logger: false,
    docs: false,
  });
  for (const url of ["/decisions/fee", "/decisions/fee/versions/1.0.0"])
    await handler.inject({ method: "POST", url, payload: { input: { weight: 30 } } });
  await handler.close();

  const records = await collect(log.find());
  expect(records.map(({ decision, contentHash }) => [decision.version, contentHash])).toEqual([
    ["2.0.0", hashOf(current)],
    ["1.0.0", hashOf(old)],
  ]);
  expect((await log.content(hashOf(old)))?.document).toEqual(old);
  expect(await log.verify()).toMatchObject({ ok: true, records: 2 });
  await log.close();
});
