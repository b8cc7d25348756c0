import { defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkLock, type DecisionLock, type LockedModule, updateLock } from "../../src/index.js";
import { loan, moduleOf, offer, runs } from "./loans.js";

function locked(module: LockedModule): DecisionLock {
  const { lock } = updateLock(module, undefined, { runs });
  if (lock === undefined) throw new Error("nothing was locked");
  return lock;
}

const lock = locked(moduleOf());

describe("a check", () => {
  it("passes when nothing changed", () => {
    expect(checkLock(moduleOf(), lock)).toEqual({
      differences: [],
      unlocked: [],
      gone: [],
      unchanging: [],
    });
  });

  it.each([
    [601, 600, "OK/granted", "OK/score"],
    [599, 599, "OK/score", "OK/granted"],
  ])("shows a score of %i instead of 600 at the input %i", (score, shown, before, after) => {
    const { differences } = checkLock(moduleOf({ score }), lock);
    expect(differences).toMatchObject([
      { decisionId: "loan", version: "1.0.0", isProfileChanged: false, smallest: { before, after } },
    ]);
    expect(differences[0]?.smallest.input).toMatchObject({ score: shown });
    expect(differences[0]?.smallest.result).toMatchObject({ status: "OK", meta: { decisionId: "loan" } });
  });

  it.each([
    [5_001, 7, 5],
    [4_999, 5, 7],
  ])("shows an amount of %i instead of 5000, which changes no rule", (largeAmount, _before, rate) => {
    const { differences } = checkLock(moduleOf({ largeAmount }), lock);
    expect(differences).toMatchObject([{ smallest: { before: "OK/granted", after: "OK/granted" } }]);
    expect(differences[0]?.smallest.result).toMatchObject({ data: { rate } });
  });

  it("shows the smallest of the inputs that differ, and how many do", () => {
    const { differences } = checkLock(moduleOf({ score: 851 }), lock);
    const granted = lock.decisions["loan"]?.versions["1.0.0"]?.envelopes.flatMap(([outcome], index) =>
      outcome === "OK/granted" ? [lock.decisions["loan"]?.inputs[index]] : [],
    );
    expect(differences[0]?.inputs).toBe(granted?.length);
    const shortest = Math.min(...(granted ?? []).map((input) => JSON.stringify(input).length));
    expect(JSON.stringify(differences[0]?.smallest.input)).toHaveLength(shortest);
  });

  it("counts another explanation as another behaviour", () => {
    const { differences } = checkLock(moduleOf({ explanation: "Splendid" }), lock);
    expect(differences).toMatchObject([{ smallest: { before: "OK/granted", after: "OK/granted" } }]);
  });

  it("passes for another version", () => {
    const check = checkLock(moduleOf({ score: 601, version: "1.0.1" }), lock);
    expect(check).toMatchObject({ differences: [], unlocked: ["loan@1.0.1"], gone: ["loan@1.0.0"] });
  });

  it("looks at every version", () => {
    const versions = { loan: { default: "1.0.0" } };
    const both = (score: number) => ({
      decisions: [loan(), loan({ version: "2.0.0", score })],
      versions,
    });
    const check = checkLock(both(651), locked(both(650)));
    expect(check.differences.map(({ version }) => version)).toEqual(["2.0.0"]);
  });

  it("tells a changed profile from a changed decision", () => {
    const { differences } = checkLock(moduleOf({}, { loan: { maxAmount: 100_001 } }), lock);
    expect(differences).toMatchObject([{ decisionId: "loan", isProfileChanged: true }]);
  });

  it("passes where another profile makes no difference", () => {
    // The same value as by default, now said.
    expect(checkLock(moduleOf({}, { loan: { maxAmount: 100_000 } }), lock).differences).toEqual([]);
  });

  it("shows decisions whose used decision changed, or got another profile", () => {
    const before = locked({ decisions: [offer()] });
    expect(checkLock({ decisions: [offer({ score: 601 })] }, before).differences).toMatchObject([
      { decisionId: "offer", isProfileChanged: false, smallest: { input: { score: 600 } } },
    ]);
    const profiles = { loan: { maxAmount: 10_000 } };
    expect(checkLock({ decisions: [offer()], profiles }, before).differences).toMatchObject([
      { decisionId: "offer", isProfileChanged: true },
    ]);
  });

  it("shows what fails now", () => {
    const { differences } = checkLock(moduleOf({ rate: Number.NaN }), lock);
    expect(differences[0]?.smallest).toMatchObject({
      after: "ERROR/EVALUATION_FAILED",
      result: { status: "ERROR", error: { code: "EVALUATION_FAILED" } },
    });
  });

  it("names the conditions whose change it could not see, but no last rule that matches everything", () => {
    const ruled = (isFraud: (amount: number) => boolean) =>
      defineDecision({
        id: "ruled",
        version: "1.0.0",
        inputSchema: z.object({ amount: z.int().min(0).max(1_000) }),
        outputSchema: z.object({ rule: z.string() }),
        profileSchema: z.object({}),
        rules: [
          { id: "fraud", when: ({ amount }) => isFraud(amount), emit: () => ({ rule: "fraud" }) },
          { id: "large", when: ({ amount }) => amount > 500, emit: () => ({ rule: "large" }) },
          { id: "any", when: () => true, emit: () => ({ rule: "any" }) },
          { id: "otherwise", when: () => true, emit: () => ({ rule: "otherwise" }) },
        ],
      });
    const before = { decisions: [ruled((amount) => amount === 2_000)] };
    const decided = { decisionId: "ruled", version: "1.0.0" };
    expect(checkLock(before, locked(before)).unchanging).toEqual([
      { ...decided, ruleId: "fraud", value: false },
      { ...decided, ruleId: "any", value: true },
    ]);
    const reached = { decisions: [ruled((amount) => amount > 700)] };
    expect(checkLock(reached, locked(reached)).unchanging).toEqual([
      { ...decided, ruleId: "any", value: true },
    ]);
  });

  it("asks a table for the rows that an input matches, and decides each input once", () => {
    const ids = ["low", "high", "all", "never"];
    const hitsOf = (input: unknown) =>
      [Number(input) < 5 ? "low" : "high", "all"].map((ruleId) => ({ ruleId, explanation: "matches" }));
    let decided = 0;
    const table = defineDecision({
      id: "table",
      version: "1.0.0",
      inputSchema: z.int().min(0).max(9),
      outputSchema: z.string(),
      profileSchema: z.object({}),
      logic: {
        content: { hash: `sha256:${"0".repeat(64)}`, mediaType: "application/json", document: {} },
        rules: ids.map((id) => ({ id })),
        bind: () => ({
          decide: (input) => {
            decided += 1;
            return { emitted: "a", hits: hitsOf(input), explanation: "matches" };
          },
          hits: hitsOf,
          thresholds: [],
          witnesses: () => [...new Array(10).keys()],
        }),
      },
    });
    const known = locked({ decisions: [table] });
    decided = 0;
    const { unchanging } = checkLock({ decisions: [table] }, known);
    expect(decided).toBe(known.decisions["table"]?.inputs.length);
    const version = { decisionId: "table", version: "1.0.0" };
    expect(unchanging).toEqual([
      { ...version, ruleId: "all", value: true },
      { ...version, ruleId: "never", value: false },
    ]);
  });
});
