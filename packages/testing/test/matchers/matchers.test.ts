import { defineDecision, evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explore, updateLock, writeLock } from "../../src/index.js";
import "../../src/vitest.js";
import { loan, moduleOf, runs } from "../lock/loans.js";

/** What a matcher says when it does not hold. */
function complaint(assert: () => void): string {
  try {
    assert();
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  throw new Error("the matcher passed");
}

const granted = evaluate(loan(), { score: 700, amount: 10_000 });
const refused = evaluate(loan(), { score: 400.5, amount: 0 });
const access = defineDecision({
  id: "access",
  version: "1.0.0",
  inputSchema: z.object({ role: z.enum(["admin", "guest", "owner"]) }),
  outputSchema: z.object({ allowed: z.boolean(), hours: z.array(z.number()) }),
  profileSchema: z.object({ level: z.number().default(1) }),
  rules: [
    {
      id: "admin",
      when: ({ role }) => role === "admin",
      emit: () => ({ allowed: true, hours: [1, 2] }),
    },
    { id: "again", when: ({ role }) => role === "admin", emit: () => ({ allowed: true, hours: [] }) },
    {
      id: "guest",
      when: ({ role }, { level }) => role === "guest" && level > 0,
      emit: (_input, { level }) => ({ allowed: false, hours: level === 5 ? [Number.NaN] : [] }),
    },
  ],
});
const admin = evaluate(access, { role: "admin" });
const owner = evaluate(access, { role: "owner" });

describe("toMatchRule", () => {
  it("holds for the rule that decided, and a part of its output", () => {
    expect(granted).toMatchRule("granted");
    expect(granted).toMatchRule("granted", { rate: 7 });
    expect(admin).toMatchRule("admin", { allowed: true });
    expect(admin).toMatchRule("admin", { hours: [1, 2] });
    expect(admin).toMatchRule("admin", { allowed: expect.any(Boolean) });
  });

  it("does not hold for another rule or output", () => {
    expect(granted).not.toMatchRule("score");
    expect(granted).not.toMatchRule("granted", { rate: 5 });
    expect(admin).not.toMatchRule("admin", { hours: [1] });
    expect(owner).not.toMatchRule("admin");
  });

  it("says what decided instead", () => {
    expect(complaint(() => expect(granted).toMatchRule("score"))).toBe(
      'expected rule "score" to decide\nRule "granted" decided: Good enough\n  {"rate":7}',
    );
    expect(complaint(() => expect(owner).toMatchRule("admin"))).toContain(
      "NO_MATCH: none of the rules admin, again, guest matched",
    );
    expect(complaint(() => expect(refused).toMatchRule("granted"))).toMatch(/INVALID_INPUT:\n {2}\/score /);
  });

  it("works inside another value, and for promises", async () => {
    expect({ result: granted }).toEqual({ result: expect.toMatchRule("granted") });
    await expect(Promise.resolve(granted)).resolves.toMatchRule("granted", { rate: 7 });
  });

  it("knows the rules of the decision", () => {
    // @ts-expect-error -- granted, not grantd
    expect(granted).not.toMatchRule("grantd");
    const fromTable: string = "granted";
    expect(granted).toMatchRule(fromTable);
  });

  it("refuses what is no envelope, with not as well", () => {
    expect(() => expect({ status: "OK" }).not.toMatchRule("granted")).toThrow(TypeError);
    expect(() => expect(Promise.resolve(granted)).not.toMatchRule("score")).toThrow("await it");
  });
});

describe("the other envelopes", () => {
  it("toBeNoMatch", () => {
    expect(owner).toBeNoMatch();
    expect(admin).not.toBeNoMatch();
    expect(complaint(() => expect(admin).toBeNoMatch())).toContain('Rule "admin" decided');
  });

  it("toBeInvalidInput, at the places that are given", () => {
    expect(refused).toBeInvalidInput();
    expect(refused).toBeInvalidInput("/score", "/amount");
    expect(refused).not.toBeInvalidInput("/score", "/name");
    expect(granted).not.toBeInvalidInput();
    expect(complaint(() => expect(refused).toBeInvalidInput("/name"))).toMatch(
      /^expected INVALID_INPUT at \/name\nINVALID_INPUT:\n {2}\/score /,
    );
  });

  it("toBeInvalidProfile", () => {
    const given: unknown = { level: "high" };
    const result = evaluate(access, { role: "guest" }, given);
    expect(result).toBeInvalidProfile("/level");
    expect(result).not.toBeInvalidInput();
    expect(refused).not.toBeInvalidProfile();
  });

  it("toBeExplainedBy a part of the text, or a pattern", () => {
    const often = /good/gi;
    for (const _ of [1, 2]) expect(granted).toBeExplainedBy(often);
    expect(granted).toBeExplainedBy("enough");
    expect(granted).not.toBeExplainedBy("Enough");
    expect(owner).not.toBeExplainedBy(/./);
    expect(complaint(() => expect(granted).toBeExplainedBy("bad"))).toContain("decided: Good enough");
  });
});

describe("toPassExamples", () => {
  const withExample = (expected: object) => ({
    ...loan(),
    meta: { examples: [{ name: "Some", input: { score: 600, amount: 200_000 }, expect: expected }] },
  });

  it("holds when every example comes out as it says", () => {
    expect(loan()).toPassExamples();
    expect(withExample({ status: "OK", matchedRule: "amount", data: { rate: 0 } })).toPassExamples();
    const profiles = { loan: { maxAmount: 300_000 } };
    expect(withExample({ status: "OK", matchedRule: "granted" })).toPassExamples({ profiles });
    expect(withExample({ status: "OK", matchedRule: "granted" })).toPassExamples({ profile: profiles.loan });
  });

  it.each([
    [{ status: "NO_MATCH" }, "NO_MATCH"],
    [{ status: "OK", matchedRule: "granted" }, "OK granted"],
    [{ status: "OK", data: { rate: 1 } }, 'OK {"rate":1}'],
  ])("names the example that expects %o", (expected, text) => {
    const decision = withExample(expected);
    expect(decision).not.toPassExamples();
    expect(complaint(() => expect(decision).toPassExamples())).toContain(
      `0 of 1 pass\n"Some": expected ${text}. Rule "amount" decided`,
    );
  });

  it("does not hold for a decision without examples", () => {
    expect(access).not.toPassExamples();
    expect(complaint(() => expect(access).toPassExamples())).toContain("list them in meta.examples");
  });

  it("refuses what is no decision", () => {
    expect(() => expect({}).not.toPassExamples()).toThrow(TypeError);
  });
});

describe("matchers that explore", () => {
  const found = explore(access, { runs });

  it("toReachEveryRule names the rules that nothing reached", () => {
    expect(loan()).toReachEveryRule({ runs });
    expect(complaint(() => expect(access).toReachEveryRule({ runs }))).toMatch(
      /^expected every rule of access 1\.0\.0 to decide some input\nNo witness in \d+ inputs for:\n {2}again, behind admin$/,
    );
  });

  it("toHaveNoGaps shows an input without a rule", () => {
    expect(loan()).toHaveNoGaps({ runs });
    expect(complaint(() => expect(access).toHaveNoGaps({ runs }))).toContain(
      'No rule matches\n  {"role":"owner"}',
    );
  });

  it("toHaveNoFaults shows an input that fails", () => {
    expect(access).toHaveNoFaults({ runs });
    expect(complaint(() => expect(access).toHaveNoFaults({ runs, profile: { level: 5 } }))).toContain(
      '\n  {"role":"guest"}',
    );
  });

  it("take what was explored before", () => {
    expect(found).not.toReachEveryRule();
    expect(found).not.toHaveNoGaps();
    expect(found).toHaveNoFaults();
  });

  it("refuse anything else", () => {
    expect(() => expect({}).not.toReachEveryRule()).toThrow(TypeError);
  });
});

describe("toMatchLock", () => {
  const { lock } = updateLock(moduleOf(), undefined, { runs });
  if (lock === undefined) throw new Error("nothing was locked");

  it("holds for the same behaviour, given a lock or the text of its file", () => {
    expect(moduleOf()).toMatchLock(lock);
    expect(moduleOf()).toMatchLock(writeLock(lock));
  });

  it("holds for another version", () => {
    expect(moduleOf({ score: 601, version: "1.0.1" })).toMatchLock(lock);
  });

  it("shows the smallest input that differs", () => {
    expect(moduleOf({ score: 601 })).not.toMatchLock(lock);
    const said = complaint(() => expect(moduleOf({ score: 601 })).toMatchLock(lock));
    expect(said).toMatch(
      /loan 1\.0\.0 gives a different result for 1 locked input\. Smallest:\n {2}input: {2}\{"score":600,.*\}\n {2}before: OK\/granted\n {2}now: {4}OK\/score\n/,
    );
    expect(said).toContain("give it another version number");
  });

  it("says when it was a profile that changed", () => {
    const changed = moduleOf({}, { loan: { maxAmount: 9 } });
    expect(complaint(() => expect(changed).toMatchLock(lock))).toContain("A profile was changed.");
  });

  it("refuses a file that is none", () => {
    expect(() => expect(moduleOf()).toMatchLock("{}")).toThrow("/lockVersion: must be 1");
  });
});
