import { createEvaluator, type Decision, defineDecision } from "@decern/core";
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
