import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { checkLock, readLock, updateLock } from "@decern/testing";
import "@decern/testing/vitest";
import { afterAll, describe, expect, it } from "vitest";
import * as demo from "../../src/decisions/index.js";
import { changedModule, mutants, ofDifferentDecisions } from "./mutants.js";

const file = resolve(import.meta.dirname, "../../src/decisions/decern.lock.json");
const lock = readLock(readFileSync(file, "utf8"));

// In the demo's folder, which can import every package.
const folder = mkdtempSync(resolve(import.meta.dirname, ".changed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the demo's lock", () => {
  it("holds: whoever changes what a decision does gives it another version", () => {
    expect(demo).toMatchLock(lock);
  });

  it("has every version", () => {
    expect(checkLock(demo, lock)).toEqual({ differences: [], unlocked: [], gone: [], unchanging: [] });
  });

  it("shows every threshold that moves by one, in an input at which the decision differs", async () => {
    const all = mutants();
    expect(all.length).toBeGreaterThanOrEqual(100);
    const missed: string[] = [];
    for (const [index, together] of ofDifferentDecisions(all).entries()) {
      const changes = new Map(together.map(({ file: changed, text }) => [changed, text]));
      const { differences } = checkLock(await changedModule(changes, resolve(folder, `${index}`)), lock);
      for (const { name, key, isInProfile } of together) {
        const found = differences.find(({ decisionId, version }) => `${decisionId}@${version}` === key);
        if (found === undefined) missed.push(name);
        expect(found?.isProfileChanged, name).toBe(isInProfile);
      }
    }
    expect(missed).toEqual([]);
  });

  it("shows the smallest input, at the threshold itself", async () => {
    const mutant = mutants().find(({ name }) => name.endsWith(": 30 -> 31"));
    if (mutant === undefined) throw new Error("no such threshold");
    const module = await changedModule(new Map([[mutant.file, mutant.text]]), resolve(folder, "smallest"));
    const differences = checkLock(module, lock).differences.filter(
      ({ decisionId }) => decisionId === "transaction-risk",
    );
    expect(differences).toMatchObject([{ smallest: { input: { accountAgeDays: 30 } } }]);
    expect(() => expect(module).toMatchLock(lock)).toThrow(/"accountAgeDays":30,/);
    // Nothing is written for it either.
    expect(updateLock(module, lock, { runs: 1 }).lock).toBeUndefined();
  });

  it("lets a changed version through, and rewrites nothing of what is locked", async () => {
    const changes = new Map(
      [
        ["news2-chart.ts", "upTo: 219", "upTo: 218"],
        ["news2.ts", 'version: "2017.12.0"', 'version: "2026.1.0"'],
      ].map(([name = "", before = "", after = ""]) => {
        const text = readFileSync(resolve(import.meta.dirname, "../../src/decisions", name), "utf8");
        expect(text).toContain(before);
        return [name, text.replace(before, after)] as const;
      }),
    );
    const module = await changedModule(changes, resolve(folder, "versioned"));
    expect(module).toMatchLock(lock);
    expect(checkLock(module, lock)).toEqual({
      differences: [],
      unlocked: ["news2@2026.1.0"],
      gone: ["news2@2017.12.0"],
      unchanging: [],
    });
    const { lock: updated } = updateLock(module, lock, { runs: 500 });
    expect(updated?.decisions["news2"]?.versions["2017.12.0"]).toEqual(
      lock.decisions["news2"]?.versions["2017.12.0"],
    );
    for (const [id, { inputs, versions }] of Object.entries(lock.decisions)) {
      const after = updated?.decisions[id];
      expect(after?.inputs.slice(0, inputs.length)).toEqual(inputs);
      for (const [version, { envelopes }] of Object.entries(versions))
        expect(after?.versions[version]?.envelopes.slice(0, envelopes.length)).toEqual(envelopes);
    }
    expect(checkLock(module, updated ?? lock).unlocked).toEqual([]);
  });
});
