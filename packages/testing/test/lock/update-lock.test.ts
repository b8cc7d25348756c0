import { describe, expect, it } from "vitest";
import { watchProfiles } from "../../../../test/support/watch.js";
import { checkLock, type DecisionLock, type LockedModule, updateLock, writeLock } from "../../src/index.js";
import { loan, moduleOf, offer, runs } from "./loans.js";

function update(module: LockedModule, earlier?: DecisionLock, accept?: readonly string[]): DecisionLock {
  const { lock, differences } = updateLock(module, earlier, { runs, accept });
  if (lock === undefined) throw new Error(JSON.stringify(differences));
  return lock;
}

const first = update(moduleOf());

describe("an update", () => {
  it("finds the same for the same decisions", () => {
    expect(writeLock(update(moduleOf()))).toBe(writeLock(first));
  });

  it("changes nothing the second time", () => {
    expect(writeLock(update(moduleOf(), first))).toBe(writeLock(first));
  });

  it("makes a lock that a check passes", () => {
    expect(checkLock(moduleOf(), first)).toEqual({
      differences: [],
      unlocked: [],
      gone: [],
      unchanging: [],
    });
  });

  it("keeps every input once, and both sides of each threshold", () => {
    const inputs = first.decisions["loan"]?.inputs ?? [];
    expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(inputs.length);
    for (const score of [599, 600]) expect(inputs).toContainEqual({ score, amount: expect.any(Number) });
    for (const amount of [4999.99, 5_000, 100_000, 100_000.01])
      expect(inputs).toContainEqual({ score: expect.any(Number), amount });
  });

  it("refuses what differs, and gives no lock", () => {
    const { lock, differences } = updateLock(moduleOf({ score: 601 }), first, { runs });
    expect(lock).toBeUndefined();
    expect(differences).toMatchObject([{ decisionId: "loan", version: "1.0.0" }]);
  });

  it("takes over what is accepted, and nothing else", () => {
    const earlier = update({ decisions: [loan(), offer()] });
    const changed = { decisions: [loan({ score: 601 }), offer({ score: 601 })] };
    const { lock, differences } = updateLock(changed, earlier, { runs, accept: ["loan@1.0.0"] });
    expect(lock).toBeUndefined();
    expect(differences.map(({ decisionId }) => decisionId)).toEqual(["offer"]);
    const all = update(changed, earlier, ["loan@1.0.0", "offer@1.0.0"]);
    expect(checkLock(changed, all).differences).toEqual([]);
    expect(checkLock({ decisions: [loan(), offer()] }, all).differences).toHaveLength(2);
  });

  it("adds a version beside those that are locked, whose entries stay as they are", () => {
    const both = {
      decisions: [loan(), loan({ version: "1.1.0", score: 650 })],
      versions: { loan: { default: "1.0.0" } },
    };
    const lock = update(both, first);
    const [before, after] = [first.decisions["loan"], lock.decisions["loan"]];
    const count = before?.inputs.length ?? 0;
    expect(after?.inputs.slice(0, count)).toEqual(before?.inputs);
    expect(after?.inputs.length).toBeGreaterThan(count);
    expect(after?.versions["1.0.0"]?.envelopes.slice(0, count)).toEqual(before?.versions["1.0.0"]?.envelopes);
    expect(after?.versions["1.0.0"]?.envelopes).toHaveLength(after?.inputs.length ?? 0);
    expect(after?.versions["1.1.0"]?.envelopes).toHaveLength(after?.inputs.length ?? 0);
    expect(checkLock(both, lock)).toEqual({
      differences: [],
      unlocked: [],
      gone: [],
      unchanging: [],
    });
  });

  it("adds what a better search finds to a lock that still holds", () => {
    const { lock: earlier } = updateLock(moduleOf(), undefined, { runs: 10 });
    if (earlier === undefined) throw new Error("nothing was locked");
    expect(checkLock(moduleOf(), earlier).differences).toEqual([]);
    const [before, after] = [earlier, update(moduleOf(), earlier)].map(({ decisions }) => decisions["loan"]);
    const count = before?.inputs.length ?? 0;
    expect(after?.inputs.length).toBeGreaterThan(count);
    expect(after?.inputs.slice(0, count)).toEqual(before?.inputs);
    expect(after?.versions["1.0.0"]?.envelopes.slice(0, count)).toEqual(before?.versions["1.0.0"]?.envelopes);
  });

  it("keeps versions that are gone, and knows them when they come back", () => {
    const later = update(moduleOf({ version: "1.1.0", score: 650 }), first);
    expect(later.decisions["loan"]?.versions["1.0.0"]).toEqual(first.decisions["loan"]?.versions["1.0.0"]);
    expect(updateLock(moduleOf({ score: 601 }), later, { runs }).lock).toBeUndefined();
    const back = update(moduleOf(), later);
    expect(back.decisions["loan"]?.versions["1.0.0"]?.envelopes).toHaveLength(
      back.decisions["loan"]?.inputs.length ?? 0,
    );
    // A decision without any version left stays, too.
    expect(update({ decisions: [offer()] }, first).decisions["loan"]).toEqual(first.decisions["loan"]);
  });

  it("keeps its instant", () => {
    const earlier = { ...first, now: "2020-02-02T00:00:00.000Z", decisions: {} };
    expect(update(moduleOf(), earlier).now).toBe(earlier.now);
  });

  it("says which versions there are when another is accepted", () => {
    expect(() => updateLock(moduleOf(), first, { accept: ["loan@2.0.0"] })).toThrow(
      '/accept/0: "loan@2.0.0" is not a version of the module; known are loan@1.0.0',
    );
  });

  it("refuses options that it does not know", () => {
    const options: object = { run: 5 };
    expect(() => updateLock(moduleOf(), first, options)).toThrow("/run: is unknown");
  });

  it("refuses profiles that are still to be loaded", () => {
    const profiles: object = watchProfiles({ file: "profiles.json" });
    const module: LockedModule = { ...moduleOf(), profiles: { ...profiles } };
    expect(() => updateLock(module, undefined)).toThrow("/profiles: must be an object");
  });
});
