import { createEvaluator, defineDecision, withProfile } from "@decern/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { formatReport, type ReplayDifference, replay } from "../src/index.js";
import { Journal } from "./support/journal.js";
import { loan } from "./support/loan.js";

const profiles = { loan: { minScore: 600 } };
const scores = [100, 500, 599, 600, 650, 699, 700, 701, 800];

async function recorded(decision = loan(), profile = profiles.loan): Promise<Journal> {
  const journal = new Journal();
  const evaluator = createEvaluator({ log: journal.log, logger: { error() {} } });
  const bound = withProfile(decision, profile);
  // A fault is on record as well.
  for (const score of scores)
    try {
      await evaluator.evaluate(bound, { input: { score, name: "Ada" }, requestId: `request-${score}` });
    } catch {
      // It is on record.
    }
  return journal;
}

describe("a replay", () => {
  test("on the revision that was recorded changes nothing", async () => {
    const report = await replay(await recorded(), { decisions: [loan()], profiles });
    expect(report.counts).toMatchObject({ unchanged: scores.length, changed: 0 });
    expect(report).toMatchObject({
      isWithin: true,
      share: 0,
      records: scores.length,
      controlled: scores.length,
    });
  });

  test("reports the records that change, with both outcomes", async () => {
    const differences: ReplayDifference[] = [];
    const report = await replay(
      await recorded(),
      { decisions: [loan({ prime: 701 })], profiles },
      { onDifference: (difference) => void differences.push(difference) },
    );
    expect(differences.map(({ record }) => record.requestId)).toEqual(["request-700"]);
    expect(differences[0]).toMatchObject({
      verdict: "changed",
      before: { outcome: "OK/prime", data: { approved: true, rate: 4.9 } },
      after: { outcome: "OK/standard", data: { approved: true, rate: 12.9 } },
    });
    expect(report).toMatchObject({ isWithin: false, share: 1 / scores.length });
    expect(report.decisions[0]?.matrix).toContainEqual(
      expect.objectContaining({ from: "OK/prime", to: "OK/standard", changed: 1, unchanged: 0 }),
    );
  });

  test("with other profiles holds them against a control run under the recorded ones", async () => {
    const candidate = { decisions: [loan()], profiles: { loan: { minScore: 650 } } };
    const report = await replay(await recorded(), candidate);
    expect(report).toMatchObject({ controlled: scores.length, counts: { unchanged: 8, changed: 1 } });
    const journal = await recorded();
    journal.forgetProfiles();
    expect((await replay(journal, candidate)).counts).toMatchObject({ inconclusive: scores.length });
  });

  test("takes the profile that a caller brought for both sides", async () => {
    const journal = new Journal();
    const input = { score: 550, name: "Ada" };
    await createEvaluator({ log: journal.log }).evaluate(loan(), { input, profile: { minScore: 500 } });
    const report = await replay(journal, { decisions: [loan()], profiles });
    expect(report.counts).toMatchObject({ unchanged: 1 });
  });

  test("refuses a candidate without the profile that a host had, and none whose callers bring theirs", async () => {
    const refused = {
      code: "INVALID_OPTIONS",
      problems: [{ path: "/profiles/loan", message: expect.stringMatching(/^is required/) }],
    };
    await expect(replay(await recorded(), { decisions: [loan()] })).rejects.toMatchObject(refused);
    const journal = new Journal();
    const { evaluate } = createEvaluator({ log: journal.log });
    await evaluate(loan(), { input: { score: 550, name: "Ada" }, profile: { minScore: 500 } });
    await evaluate(loan(), { input: { score: 550, name: "Ada" } });
    const report = await replay(journal, { decisions: [loan()] });
    expect(report).toMatchObject({ isWithin: true, counts: { unchanged: 2 } });
  });

  test("refuses a candidate without the profile of a decision that another one uses", async () => {
    const user = defineDecision({
      id: "offer",
      version: "1.0.0",
      inputSchema: z.object({ score: z.number(), name: z.string() }),
      outputSchema: z.object({ isMade: z.boolean() }),
      profileSchema: z.object({}),
      uses: [loan()],
      rules: [{ id: "all", when: () => true, emit: () => ({ isMade: true }) }],
    });
    await expect(replay(new Journal(), { decisions: [user] })).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path: "/profiles/loan", message: expect.stringMatching(/^is required/) }],
    });
    expect(await replay(new Journal(), { decisions: [user], profiles })).toMatchObject({ records: 0 });
  });

  test("takes a profile that is as recorded by its name", async () => {
    const journal = await recorded(loan(), { minScore: 700 });
    const named = { ...profiles, "loan#strict": { minScore: 700 } };
    const report = await replay(journal, { decisions: [loan()], profiles: named });
    expect(report.counts).toMatchObject({ unchanged: scores.length });
  });

  test("sets apart what the baseline does not reproduce", async () => {
    const options = { baseline: [loan({ prime: 800 })] };
    const report = await replay(await recorded(), { decisions: [loan({ prime: 650 })], profiles }, options);
    // 700 and 701 came out otherwise; 650 and 699 change.
    expect(report.counts).toMatchObject({ notReproducible: 2, changed: 2, unchanged: 5 });
    expect(report.reasons).toEqual([
      {
        verdict: "notReproducible",
        decisionId: "loan",
        reason: "the control run came to another outcome",
        records: 2,
      },
    ]);
    const explained = { baseline: [loan({ explanation: "Another one" })] };
    const other = await replay(await recorded(), { decisions: [loan()], profiles }, explained);
    expect(other.counts).toMatchObject({ notReproducible: 3, changed: 0 });
    expect(formatReport(other, "text")).toContain(
      "No results changed (6 compared); 3 more could not be compared",
    );
  });

  test("counts other explanations apart", async () => {
    const candidate = { decisions: [loan({ explanation: "Another one" })], profiles };
    const report = await replay(await recorded(), candidate);
    expect(report.counts).toMatchObject({ unchanged: scores.length });
    expect(report.decisions[0]?.explainedDifferently).toBe(3);
  });

  test("counts candidates that throw, and faults on record", async () => {
    const candidate = { decisions: [loan({ broken: [650] })], profiles };
    const report = await replay(await recorded(), candidate);
    expect(report.counts).toMatchObject({ failed: 1, unchanged: 8 });
    expect(report.reasons[0]).toMatchObject({ verdict: "failed", records: 1 });
    const broken = await recorded(loan({ broken: [650] }));
    const mended = await replay(broken, { decisions: [loan()], profiles });
    expect(mended.decisions[0]?.matrix).toContainEqual(
      expect.objectContaining({ from: "ERROR/EVALUATION_FAILED", to: "OK/standard", changed: 1 }),
    );
    expect((await replay(broken, candidate)).counts).toMatchObject({ unchanged: scores.length });
  });

  test("has nothing to compare of erased payloads, other decisions, and calls that a host refused", async () => {
    const journal = await recorded();
    const [first, second, third] = journal.records;
    if (first === undefined || second === undefined || third === undefined) throw new Error("too few");
    const payload = { salt: "", input: {}, error: { code: "OVERLOADED", message: "Server is overloaded" } };
    journal.records.splice(
      0,
      journal.records.length,
      { ...first, payload: null },
      { ...second, decision: { id: "other", version: "1.0.0" } },
      { ...third, status: "ERROR", payload },
    );
    const report = await replay(journal, { decisions: [loan()], profiles }, { allow: 1 });
    expect(report.counts).toMatchObject({ inconclusive: 1, skipped: 1, notReproducible: 1, unchanged: 0 });
    expect(report.isWithin).toBe(false);
    expect(report.decisions.map(({ decisionId }) => decisionId)).toEqual(["loan", "other"]);
  });

  test("keeps a version that the path or select chose, and moves every other call to the default", async () => {
    const journal = await recorded();
    const versions = { loan: { default: "2.0.0" } };
    const decisions = [loan(), loan({ version: "2.0.0", prime: 701 })];
    const moved = await replay(journal, { decisions, profiles, versions });
    expect(moved.counts).toMatchObject({ changed: 1, unchanged: 8 });
    expect(moved.defaults).toEqual([]);
    for (const selectedBy of ["path", "select"] as const) {
      journal.records.splice(0, 9, ...journal.records.map((one) => ({ ...one, selectedBy })));
      const kept = await replay(journal, { decisions, profiles, versions });
      expect(kept).toMatchObject({ isWithin: true, counts: { changed: 0, unchanged: 9 } });
      expect(kept.defaults).toMatchObject([
        {
          decisionId: "loan",
          before: [{ version: "1.0.0", records: 9 }],
          after: [{ version: "2.0.0", records: 9 }],
          counts: { changed: 1, unchanged: 8 },
        },
      ]);
      const without = await replay(journal, { decisions: decisions.slice(1), profiles });
      expect(without).toMatchObject({ counts: { changed: 1, unchanged: 8 }, defaults: [] });
    }
  });

  test("weighs records by their sample rate", async () => {
    const journal = await recorded();
    journal.records.splice(
      0,
      9,
      ...journal.records.map((one) => (one.requestId === "request-700" ? { ...one, sampleRate: 0.1 } : one)),
    );
    const candidate = { decisions: [loan({ prime: 701 })], profiles };
    const report = await replay(journal, candidate, { allow: 10 / 18 });
    expect(report).toMatchObject({
      share: 10 / 18,
      isWithin: true,
      estimated: { changed: 10, unchanged: 8 },
    });
    expect((await replay(journal, candidate, { allow: 0.5 })).isWithin).toBe(false);
  });

  test("refuses wrong options, all at once, and ends with its signal", async () => {
    const journal = await recorded();
    const wrong = { allow: 2, label: "no pointer", examples: -1 };
    await expect(replay(journal, { decisions: [loan()], profiles }, wrong)).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path: "/allow" }, { path: "/label" }, { path: "/examples" }],
    });
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(replay(journal, { decisions: [loan()], profiles }, { signal })).rejects.toThrow("enough");
  });
});
