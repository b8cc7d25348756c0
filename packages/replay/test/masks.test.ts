import { createEvaluator, type Decision, withProfile } from "@decern/core";
import { describe, expect, test } from "vitest";
import { type Candidate, type ReplayOptions, type ReplayReport, replay } from "../src/index.js";
import { Journal } from "./support/journal.js";
import { loan } from "./support/loan.js";

const profiles = { loan: { minScore: 600 } };

async function recorded(
  mask: readonly string[],
  input: unknown,
  decision: Decision = loan(),
): Promise<Journal> {
  const journal = new Journal().with({ mask });
  const bound = withProfile<unknown, unknown, unknown, string, readonly Decision[]>(decision, profiles.loan);
  await createEvaluator({ log: journal.log, logger: { error() {} } }).evaluate(bound, { input });
  return journal;
}

async function verdicts(
  journal: Journal,
  decision: Decision,
  options: ReplayOptions = {},
): Promise<ReplayReport["counts"] & { readonly reason: string | undefined }> {
  const candidate: Candidate = { decisions: [decision], profiles };
  const report = await replay(journal, candidate, options);
  return { ...report.counts, reason: report.reasons[0]?.reason };
}

const input = { score: 720, name: "Ada", tags: ["a", "b"] };

describe("a masked input", () => {
  test("that no rule looks at changes nothing of the verdict", async () => {
    const journal = await recorded(["/input/name"], input);
    expect(await verdicts(journal, loan())).toMatchObject({ unchanged: 1 });
    expect(await verdicts(journal, loan({ prime: 730 }))).toMatchObject({ changed: 1 });
  });

  test("that a rule looks at is inconclusive, in the candidate and in the control run", async () => {
    const journal = await recorded(["/input/name"], input);
    const reason = "a rule looks at /input/name, which was masked";
    expect(await verdicts(journal, loan({ readsName: true }))).toMatchObject({ inconclusive: 1, reason });
    const baseline = [loan({ readsName: true })];
    expect(await verdicts(journal, loan(), { baseline })).toMatchObject({ inconclusive: 1, reason });
  });

  test.each<[string, (value: object) => unknown]>([
    ["a name", (value) => Reflect.get(value, "name")],
    ["in", (value) => "name" in value],
    ["hasOwn", (value) => Object.hasOwn(value, "name")],
    ["keys", (value) => Object.keys(value)],
    ["entries", (value) => Object.entries(value)],
    ["spread", (value) => ({ ...value })],
    ["JSON", (value) => JSON.stringify(value)],
    [
      "for in",
      (value) => {
        for (const key in value) return key;
        return "";
      },
    ],
    ["rest", ({ ...rest }) => rest],
    ["assign", (value) => Object.assign({}, value)],
  ])("counts as looked at by %s", async (_name, look) => {
    const journal = await recorded(["/input/name"], input);
    expect(await verdicts(journal, loan({ look }))).toMatchObject({ inconclusive: 1 });
  });

  test("in a list: only its own item counts, not the length", async () => {
    const journal = await recorded(["/input/tags/1"], input);
    const tags = (value: object): string[] => Reflect.get(value, "tags");
    expect(await verdicts(journal, loan({ look: (value) => tags(value).length }))).toMatchObject({
      unchanged: 1,
    });
    expect(await verdicts(journal, loan({ look: (value) => tags(value)[0] }))).toMatchObject({
      unchanged: 1,
    });
    expect(await verdicts(journal, loan({ look: (value) => tags(value)[1] }))).toMatchObject({
      inconclusive: 1,
    });
    expect(await verdicts(journal, loan({ look: (value) => tags(value).join() }))).toMatchObject({
      inconclusive: 1,
    });
    expect(await verdicts(journal, loan({ look: (value) => [...tags(value)] }))).toMatchObject({
      inconclusive: 1,
    });
  });

  test("is inconclusive where the recorded version is not at hand", async () => {
    const journal = await recorded(["/input/name"], input);
    expect(await verdicts(journal, loan({ version: "2.0.0" }))).toMatchObject({ inconclusive: 1 });
    const baseline = [loan()];
    expect(await verdicts(journal, loan({ version: "2.0.0" }), { baseline })).toMatchObject({ unchanged: 1 });
  });

  test("is inconclusive where the candidate's schema is another one", async () => {
    const journal = await recorded(["/input/name"], input);
    const strict = loan({ version: "2.0.0", shortestName: 3 });
    expect(await verdicts(journal, strict, { baseline: [loan()] })).toMatchObject({ inconclusive: 1 });
  });

  test("that was refused stays refused", async () => {
    const journal = await recorded(["/input/name"], { score: 720, name: "A" });
    expect(await verdicts(journal, loan())).toMatchObject({ unchanged: 1 });
  });

  test("as a whole, and a masked profile, are inconclusive", async () => {
    expect(await verdicts(await recorded(["/input"], input), loan())).toMatchObject({ inconclusive: 1 });
    const journal = new Journal().with({ mask: ["/profile/minScore"] });
    await createEvaluator({ log: journal.log }).evaluate(loan(), { input, profile: { minScore: 500 } });
    expect(await verdicts(journal, loan())).toMatchObject({
      inconclusive: 1,
      reason: "its profile was masked",
    });
  });
});

describe("a masked output", () => {
  const mask = ["/result/data/rate"];

  test("is inconclusive where nothing else differs and there is no baseline", async () => {
    expect(await verdicts(await recorded(mask, input), loan())).toMatchObject({ inconclusive: 1 });
    expect(await verdicts(await recorded(mask, input), loan({ prime: 730 }))).toMatchObject({ changed: 1 });
  });

  test("is known from the control run", async () => {
    const journal = await recorded(mask, input);
    const baseline = [loan()];
    expect(await verdicts(journal, loan(), { baseline })).toMatchObject({ unchanged: 1 });
    expect(await verdicts(journal, loan({ primeRate: 5 }), { baseline })).toMatchObject({ changed: 1 });
    expect(await verdicts(journal, loan(), { baseline: [loan({ prime: 730 })] })).toMatchObject({
      notReproducible: 1,
    });
  });

  test("and an explanation that was masked has no part in the comparison", async () => {
    const journal = await recorded(["/result/meta/explanation"], input);
    expect(await verdicts(journal, loan({ explanation: "Another one" }))).toMatchObject({ unchanged: 1 });
  });
});
