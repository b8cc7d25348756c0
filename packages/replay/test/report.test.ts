import { createEvaluator, defineDecision, withProfile } from "@decern/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { replay } from "../src/index.js";
import { Journal } from "./support/journal.js";
import { loan } from "./support/loan.js";

const profiles = { loan: { minScore: 600 } };
const bound = (decision: ReturnType<typeof loan>) => withProfile(decision, profiles.loan);

describe("records of a shadow", () => {
  /** Records a call, or the shadow of one. All have the request id and the instant of one list. */
  function recording() {
    const journal = new Journal();
    const clock = { now: () => 1_772_000_000_000, monotonic: () => 0 };
    const evaluator = createEvaluator({ log: journal.log, clock });
    const evaluate = async (score: number, shadowOf?: string | null): Promise<string> => {
      const isShadow = shadowOf !== undefined;
      const named = typeof shadowOf === "string" ? { shadowOf } : {};
      journal.with(isShadow ? { selectedBy: "shadow", ...named } : {});
      const decision = isShadow ? loan({ version: "2.0.0", prime: 720 }) : loan();
      await evaluator.evaluate(bound(decision), { input: { score, name: "Ada" }, requestId: "a" });
      return journal.records.at(-1)?.recordId ?? "";
    };
    return { journal, evaluate };
  }

  test("are compared with the call that they name, in both orders, and counted apart", async () => {
    const { journal, evaluate } = recording();
    const first = await evaluate(710);
    const second = await evaluate(800);
    await evaluate(800, second);
    await evaluate(710, first);
    await evaluate(800, "record-5");
    await evaluate(800);
    const report = await replay(journal, { decisions: [loan()], profiles }, { baseline: [] });
    expect(report.records).toBe(6);
    expect(report.counts).toMatchObject({ unchanged: 3, changed: 0 });
    expect(report.shadows).toHaveLength(1);
    expect(report.shadows[0]).toMatchObject({
      decisionId: "loan",
      unpaired: 0,
      counts: { unchanged: 2, changed: 1 },
      before: [{ version: "1.0.0", records: 3 }],
      after: [{ version: "2.0.0", records: 3 }],
    });
  });

  test("are never paired by guess: with a record that names no call, and with one that is not there", async () => {
    const { journal, evaluate } = recording();
    const call = await evaluate(710);
    await evaluate(800, null);
    await evaluate(800, "sampled away");
    await evaluate(710, call);
    const report = await replay(journal, { decisions: [loan()], profiles });
    expect(report.shadows[0]).toMatchObject({ unpaired: 2, counts: { unchanged: 0, changed: 1 } });
  });

  test("are found however long the list is that their calls were in", async () => {
    const { journal, evaluate } = recording();
    const scores = Array.from({ length: 3000 }, (_, index) => (index % 3 === 0 ? 710 : 800));
    const ids: string[] = [];
    for (const score of scores) ids.push(await evaluate(score));
    for (const [index, score] of scores.entries()) await evaluate(score, ids[index] ?? "");
    const report = await replay(journal, { decisions: [loan()], profiles });
    expect(report.shadows[0]).toMatchObject({ unpaired: 0, counts: { unchanged: 2000, changed: 1000 } });
  });
});

/** Doubles a price, or what a candidate does with it. */
function pricing(price: (given: number) => number) {
  return defineDecision({
    id: "pricing",
    version: "1.0.0",
    inputSchema: z.object({ given: z.number(), wasDear: z.boolean() }),
    outputSchema: z.object({ prices: z.array(z.number()), dear: z.boolean() }),
    profileSchema: z.object({}),
    rules: [
      {
        id: "all",
        when: () => true,
        emit: ({ given }) => ({ prices: [given, price(given)], dear: price(given) > 100 }),
      },
    ],
  });
}

describe("numbers and labels", () => {
  const givens = Array.from({ length: 200 }, (_, index) => index + 1);
  const record = async (): Promise<Journal> => {
    const journal = new Journal();
    const evaluator = createEvaluator({ log: journal.log });
    for (const given of givens) {
      journal.with({ sampleRate: given % 2 === 0 ? 0.5 : 1 });
      await evaluator.evaluate(
        pricing((price) => price * 2),
        { input: { given, wasDear: given > 60 } },
      );
    }
    return journal;
  };

  test("the differences of an output, with weights", async () => {
    const report = await replay(await record(), { decisions: [pricing((price) => price * 3)] });
    const [shift, ...others] = report.decisions[0]?.numbers ?? [];
    expect(others).toEqual([]);
    expect(shift).toMatchObject({ pointer: "/prices/*", count: 200, higher: 200, lower: 0 });
    // Each of the even ones counts twice. `given` itself, which is in the list too, has no difference.
    const weighted = givens
      .flatMap((given) => (given % 2 === 0 ? [given, given] : [given]))
      .sort((a, b) => a - b);
    const mean = (factor: number) =>
      weighted.reduce((sum, given) => sum + given + given * factor, 0) / (2 * weighted.length);
    expect(shift?.meanBefore).toBeCloseTo(mean(2), 6);
    expect(shift?.meanAfter).toBeCloseTo(mean(3), 6);
    const exact = (share: number): number => weighted[Math.ceil(share * weighted.length) - 1] ?? 0;
    for (const [name, share] of [
      ["p05", 0.05],
      ["p25", 0.25],
      ["p50", 0.5],
      ["p75", 0.75],
      ["p95", 0.95],
    ] as const)
      expect(Math.abs((shift?.quantiles[name] ?? 0) / exact(share) - 1)).toBeLessThanOrEqual(0.010_001);
    expect(shift?.quantiles).toMatchObject({ min: 1, max: 200 });
    expect(report.estimated.changed).toBe(300);
  });

  test("outcomes by what is known to be true", async () => {
    const options = { label: "/input/wasDear", prediction: "/data/dear" };
    const report = await replay(await record(), { decisions: [pricing((price) => price * 1.6)] }, options);
    const labels = report.decisions[0]?.labels;
    expect(labels).toMatchObject(options);
    const cell = (label: string, prediction: string) =>
      labels?.rows.find((row) => row.label === label && row.prediction === prediction);
    // Before, above 50 is dear; after, above 62.5.
    expect(cell("true", "true")).toMatchObject({ before: 140, after: 138 });
    expect(cell("true", "false")).toMatchObject({ before: 0, after: 2 });
    expect(cell("false", "true")).toMatchObject({ before: 10, after: 0 });
    expect(cell("false", "false")).toMatchObject({ before: 50, after: 60 });
    expect(labels?.agreementBefore).toBeCloseTo(190 / 200);
    expect(labels?.agreementAfter).toBeCloseTo(198 / 200);
  });
});

describe("the smallest examples", () => {
  test("are kept, as many as wanted", async () => {
    const journal = new Journal();
    const evaluator = createEvaluator({ log: journal.log });
    for (const name of ["Magdalena", "Ada", "Bo", "Carl"])
      await evaluator.evaluate(bound(loan()), { input: { score: 705, name } });
    const candidate = { decisions: [loan({ prime: 710 })], profiles };
    const report = await replay(journal, candidate, { examples: 2 });
    const cell = report.decisions[0]?.matrix.find(({ changed }) => changed > 0);
    expect(cell?.examples.map(({ input }) => input)).toEqual([
      { score: 705, name: "Bo" },
      { score: 705, name: "Ada" },
    ]);
  });
});
