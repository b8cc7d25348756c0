import { createEvaluator, type Decision, defineDecision, withProfile } from "@decern/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Candidate,
  formatReport,
  type ReplayOptions,
  type ReplayReport,
  type ReportFormat,
  replay,
} from "../src/index.js";
import { Journal } from "./support/journal.js";
import { type Lines, loan } from "./support/loan.js";

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

  test("that only an explanation looks at leaves everything else to be compared", async () => {
    // The explanation has the name in capitals, so a log would not have masked it.
    const journal = await recorded(["/input/name"], input, loan({ explainsName: true }));
    const quoting = (lines: Lines) => loan({ explainsName: true, ...lines });
    for (const options of [{}, { baseline: [quoting({})] }]) {
      expect(await verdicts(journal, quoting({}), options)).toMatchObject({ unchanged: 1 });
      expect(await verdicts(journal, quoting({ prime: 730 }), options)).toMatchObject({ changed: 1 });
      expect(await verdicts(journal, quoting({ primeRate: 5 }), options)).toMatchObject({ changed: 1 });
    }
    expect(await verdicts(journal, quoting({}), { baseline: [quoting({ primeRate: 5 })] })).toMatchObject({
      notReproducible: 1,
    });
    const stricter = { decisions: [quoting({})], profiles: { loan: { minScore: 730 } } };
    expect((await replay(journal, stricter)).counts).toMatchObject({ changed: 1 });
  });

  test("that only an explanation looks at has no explanation in the report, and none that differs", async () => {
    const journal = await recorded(["/input/name"], input, loan({ explainsName: true }));
    const moved = [loan({ explainsName: true, primeRate: 5, version: "1.1.0" })];
    const baseline = [loan({ explainsName: true })];
    const changed = await replay(journal, { decisions: moved, profiles }, { baseline });
    const [example] = changed.decisions[0]?.matrix[0]?.examples ?? [];
    expect(example?.after).toEqual({
      outcome: "OK/prime",
      version: "1.1.0",
      data: { approved: true, rate: 5 },
    });
    const reworded = [loan({ explainsName: true, explanation: "Another one" })];
    const same = await replay(journal, { decisions: reworded, profiles }, { baseline });
    expect(same.decisions[0]?.explainedDifferently).toBe(0);
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

describe("a masked member that is required", () => {
  /** Reads only `score`, which has a default. */
  function scored(secret: z.ZodType, limit = 10, score: z.ZodType<number> = z.number().default(20)) {
    return defineDecision({
      id: "scored",
      version: "1.0.0",
      inputSchema: z.object({ secret, score }),
      outputSchema: z.object({ isHigh: z.boolean() }),
      profileSchema: z.object({}),
      rules: [{ id: "all", when: () => true, emit: (input) => ({ isHigh: input.score > limit }) }],
    });
  }

  async function journalOf(decision: Decision, secret: unknown, mask: string, score?: number) {
    const journal = new Journal().with({ mask: [mask] });
    const given = score === undefined ? { secret } : { secret, score };
    await createEvaluator({ log: journal.log }).evaluate(decision, { input: given });
    return journal;
  }

  const address = z.object({ street: z.string().min(3), isHome: z.boolean() });

  test.each<[string, z.ZodType, unknown, string]>([
    ["an enumeration", z.enum(["gold", "silver"]), "silver", "/input/secret"],
    ["a literal", z.literal("only"), "only", "/input/secret"],
    ["a union", z.union([z.literal(7), z.object({ a: z.null() })]), { a: null }, "/input/secret"],
    ["a pattern", z.string().regex(/^[A-Z]{2}-\d{4}$/), "DE-1234", "/input/secret"],
    ["a format", z.iso.date(), "1990-06-15", "/input/secret"],
    ["an address", z.email(), "ada@example.com", "/input/secret"],
    ["a long text", z.string().min(40), "x".repeat(50), "/input/secret"],
    ["an integer", z.int().min(5).max(7), 6, "/input/secret"],
    ["a multiple", z.number().gt(100).lt(104).multipleOf(0.5), 102.5, "/input/secret"],
    ["a list", z.array(z.string()).min(2), ["a", "b"], "/input/secret"],
    ["an object", address, { street: "High Street", isHome: true }, "/input/secret"],
    ["a member", address, { street: "High Street", isHome: true }, "/input/secret/street"],
    ["an item", z.array(address), [{ street: "Lane", isHome: false }], "/input/secret/0/isHome"],
  ])("takes no part where no rule reads it, and defaults apply: %s", async (_name, schema, secret, mask) => {
    const journal = await journalOf(scored(schema), secret, mask);
    const baseline = [scored(schema)];
    expect(await replay(journal, { decisions: [scored(schema)] }, { baseline })).toMatchObject({
      controlled: 1,
      counts: { unchanged: 1 },
    });
    expect((await replay(journal, { decisions: [scored(schema, 30)] })).counts).toMatchObject({ changed: 1 });
  });

  test("is inconclusive beside one that the schema transforms", async () => {
    const doubling = z.number().transform((score) => score * 2);
    const decision = scored(z.string(), 10, doubling);
    const report = await replay(await journalOf(decision, "x", "/input/secret", 20), {
      decisions: [decision],
    });
    expect(report.reasons).toMatchObject([
      { verdict: "inconclusive", reason: "its input was masked, and the schema transforms it" },
    ]);
  });

  test("is inconclusive where nothing valid can stand for it", async () => {
    const exact = z.string().refine((text) => text === "the one");
    const decision = scored(exact);
    const report = await replay(await journalOf(decision, "the one", "/input/secret"), {
      decisions: [decision],
    });
    expect(report.reasons).toMatchObject([
      { verdict: "inconclusive", reason: "nothing that stands for what was masked is valid" },
    ]);
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

describe("what is left inconclusive", () => {
  /** Three records: one that a rule needs a masked name for, one without a name, one that was erased. */
  async function mixed(): Promise<Journal> {
    const journal = await recorded(["/input/name"], input);
    const [masked] = journal.records;
    const [open] = (await recorded([], input)).records;
    if (masked === undefined || open === undefined) throw new Error("no record");
    journal.records.push(open, { ...masked, payload: null });
    return journal;
  }
  const candidate: Candidate = { decisions: [loan({ readsName: true })], profiles };

  test("counts against the change, in every format", async () => {
    const report = await replay(await mixed(), candidate);
    expect(report).toMatchObject({
      isWithin: false,
      share: 0,
      inconclusiveShare: 0.5,
      allowedInconclusive: 0,
      counts: { unchanged: 1, inconclusive: 2 },
    });
    const written = (format: ReportFormat) => formatReport(report, format);
    expect(written("text")).toMatch(/^Replay\n⚠ The result did not change; 2 more could not be compared\n/);
    expect(written("text")).toContain("50% inconclusive; 0% allowed");
    expect(written("markdown")).toMatch(/^### ⚠️ /);
    expect(written("html")).toContain('<header class="unproven">');
    expect(written("junit")).toMatch(/^<testsuites [^>]*failures="1"/m);
  });

  test("may be a share that the host allows", async () => {
    const report = await replay(await mixed(), candidate, { maxInconclusive: 0.5 });
    expect(report).toMatchObject({ isWithin: true, allowedInconclusive: 0.5 });
    expect(formatReport(report, "text")).toMatch(/^Replay\n✓ /);
    expect((await replay(await mixed(), candidate, { maxInconclusive: 0.49 })).isWithin).toBe(false);
  });

  test("does not count where it was erased, and does where it was never written", async () => {
    const journal = await mixed();
    const [masked, open, erased] = journal.records;
    if (masked === undefined || open === undefined || erased === undefined) throw new Error("no record");
    journal.records.splice(0, 3, open, erased, { ...open, payload: null });
    expect(await replay(journal, candidate)).toMatchObject({ isWithin: true, inconclusiveShare: 0 });
    journal.records.push({ ...open, payload: null, masked: [""], sampleRate: 0.5 });
    const report = await replay(journal, candidate);
    expect(report).toMatchObject({ isWithin: false, inconclusiveShare: 2 / 3 });
    expect(report.reasons).toContainEqual(
      expect.objectContaining({ reason: "it was written without its payload", records: 1 }),
    );
  });
});
