import { createEvaluator, type Decision, defineDecision, withProfile } from "@decern/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { documentedFee, hashOf } from "../../../test/support/documented-fee.js";
import { formatReport, replay } from "../src/index.js";
import { Journal } from "./support/journal.js";

const old = { light: 5, any: 7 };
const current = { light: 5, any: 8 };

async function recorded(decision: Decision): Promise<Journal> {
  const journal = new Journal();
  const evaluator = createEvaluator({ log: journal.log, logger: false });
  for (const weight of [1, 20, 30]) await evaluator.evaluate(decision, { input: { weight } });
  return journal;
}

test("a table whose content has changed under one version is another revision, and the report says so", async () => {
  const report = await replay(await recorded(documentedFee(old)), { decisions: [documentedFee(current)] });
  expect(report).toMatchObject({ controlled: 0, counts: { unchanged: 1, changed: 2, notReproducible: 0 } });
  expect(report.decisions[0]).toMatchObject({
    before: [{ version: "1.0.0", contentHash: hashOf(old), records: 3 }],
    after: [{ version: "1.0.0", contentHash: hashOf(current), records: 3 }],
  });
  const short = (document: object) => `1.0.0 (${hashOf(document).slice(0, 19)})`;
  expect(formatReport(report, "text", { width: 200 })).toContain(`${short(old)} → ${short(current)}`);
});

test("a record of a table is only held against a baseline with the same content", async () => {
  const journal = await recorded(documentedFee(old));
  const candidate = { decisions: [documentedFee(current)] };
  const fitting = await replay(journal, candidate, { baseline: [documentedFee(old)] });
  expect(fitting).toMatchObject({ controlled: 3, counts: { unchanged: 1, changed: 2, notReproducible: 0 } });
  const other = await replay(journal, candidate, { baseline: [documentedFee({ light: 0, any: 0 })] });
  expect(other).toMatchObject({ controlled: 0, counts: { unchanged: 1, changed: 2, notReproducible: 0 } });
});

test("a decision that used a table is only held against a baseline that uses the same content", async () => {
  const orderWith = (document: typeof old) => {
    const fee = documentedFee(document);
    return defineDecision({
      id: "order",
      version: "1.0.0",
      uses: [fee],
      inputSchema: z.object({ weight: z.number() }),
      outputSchema: z.unknown(),
      profileSchema: z.object({}),
      rules: [
        {
          id: "all",
          when: () => true,
          emit: (input, _, context) => ({ ...context.evaluate(fee, input), meta: 0 }),
        },
      ],
    });
  };
  const journal = await recorded(orderWith(old));
  const report = await replay(journal, { decisions: [orderWith(current)] });
  expect(report).toMatchObject({ controlled: 0, counts: { unchanged: 1, changed: 2 } });
  const same = await replay(journal, { decisions: [orderWith(old)] });
  expect(same).toMatchObject({ controlled: 3, counts: { unchanged: 3 } });
});

test("the log as baseline has the table that made a record", async () => {
  const journal = await recorded(withProfile(documentedFee(old), { limit: 25 }));
  const candidate = { decisions: [documentedFee(current, "2.0.0")], profiles: { fee: { limit: 25 } } };
  const report = await replay(journal, candidate, { baseline: "log" });
  expect(report).toMatchObject({ controlled: 3, counts: { unchanged: 2, changed: 1, notReproducible: 0 } });
  // A record that its table does not explain.
  const [first] = journal.records;
  Object.assign(Object(first?.payload?.result), { data: { fee: 6 } });
  const forged = await replay(journal, candidate, { baseline: "log" });
  expect(forged).toMatchObject({ controlled: 3, counts: { unchanged: 1, changed: 1, notReproducible: 1 } });
});

test("the log as baseline must explain records of a table that is the candidate's, but not of rules that may have changed", async () => {
  const journal = await recorded(documentedFee(old));
  Object.assign(Object(journal.records[0]?.payload?.result), { data: { fee: 6 } });
  const report = await replay(journal, { decisions: [documentedFee(old)] }, { baseline: "log" });
  expect(report.counts).toMatchObject({ unchanged: 2, notReproducible: 1 });

  const ruled = (output: number) =>
    defineDecision({
      id: "ruled",
      version: "1.0.0",
      inputSchema: z.unknown(),
      outputSchema: z.number(),
      profileSchema: z.object({}),
      rules: [{ id: "all", when: () => true, emit: () => output }],
    });
  const rules = await replay(await recorded(ruled(1)), { decisions: [ruled(2)] }, { baseline: "log" });
  expect(rules.counts).toMatchObject({ changed: 3, notReproducible: 0 });
});

test.each([
  ["lacks the content", (journal: Journal) => journal.forgetContents()],
  ["has a content that no longer fits", (journal: Journal) => journal.replaceContents({ light: 5 })],
])("a log that %s gives its records no control run", async (_, change) => {
  const journal = await recorded(documentedFee(old));
  change(journal);
  const report = await replay(journal, { decisions: [documentedFee(current)] }, { baseline: "log" });
  expect(report).toMatchObject({ controlled: 0, counts: { unchanged: 1, changed: 2 } });
});
