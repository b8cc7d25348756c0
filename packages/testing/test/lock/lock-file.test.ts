import { DecernError } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DecisionLock, readLock, updateLock, writeLock } from "../../src/index.js";
import { hashOf } from "../../src/lock/lock.js";
import { moduleOf, offer, runs } from "./loans.js";

const { lock } = updateLock({ decisions: [...moduleOf().decisions, offer()] }, undefined, { runs });
if (lock === undefined) throw new Error("nothing was locked");
const text = writeLock(lock);

function problems(changed: string): readonly string[] {
  try {
    readLock(changed);
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    expect(error.code).toBe("BAD_REQUEST");
    return error.problems.map(({ path, message }) => `${path} ${message}`);
  }
  return [];
}

describe("a lock file", () => {
  it("is read as it was written", () => {
    expect(readLock(text)).toEqual(lock);
    expect(JSON.parse(text)).toEqual(lock);
    expect(writeLock(readLock(text))).toBe(text);
  });

  it("has a line for each input and each envelope, and ends with a line break", () => {
    const lines = text.split("\n").map((line) => line.trim().replace(/,$/, ""));
    for (const { inputs, versions } of Object.values(lock.decisions)) {
      for (const item of [...inputs, ...Object.values(versions).flatMap(({ envelopes }) => envelopes)])
        expect(lines).toContain(JSON.stringify(item));
    }
    expect(text.endsWith("}\n")).toBe(true);
  });

  it("carries whatever JSON does", () => {
    const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "1"));
    const envelope = fc.tuple(fc.string(), fc.stringMatching(/^[0-9a-f]{16}$/));
    const anyLock = fc.dictionary(
      name,
      fc.record({ inputs: fc.array(fc.jsonValue(), { minLength: 2 }), envelope, version: name }),
    );
    fc.assert(
      fc.property(anyLock, (decisions) => {
        const made: DecisionLock = {
          lockVersion: 1,
          now: "2026-01-01T00:00:00.000Z",
          decisions: Object.fromEntries(
            Object.entries(decisions).map(([id, { inputs, envelope: one, version }]) => {
              const envelopes = [one];
              const versions = [[version, { profileHash: "x", hash: hashOf(envelopes), envelopes }]] as const;
              return [id, { inputs, versions: Object.fromEntries(versions) }];
            }),
          ),
        };
        const written = writeLock(made);
        expect(JSON.stringify(readLock(written))).toBe(JSON.stringify(made));
      }),
      { seed: 14 },
    );
  });

  it.each([
    ["nothing", "", " is not JSON"],
    ["a list", "[]", " must be an object"],
    [
      "a merge",
      text.replace('"now"', "\n<<<<<<< HEAD\n"),
      " has conflicts of a merge: take one side, and lock again",
    ],
    ["a later format", '{"lockVersion":2}', "/lockVersion must be 1, the only one that this version knows"],
    ["no instant", text.replace(/"now": ".*?"/, '"now": "soon"'), "/now must be an instant, as ISO 8601"],
    ["no decisions", '{"lockVersion":1,"now":"2026-01-01T00:00:00Z"}', "/decisions must be an object"],
  ])("is refused: %s", (_name, changed, problem) => {
    expect(problems(changed)).toEqual([problem]);
  });

  it("is refused when an outcome was edited", () => {
    const edited = text.replace('["OK/score"', '["OK/granted"');
    expect(edited).not.toBe(text);
    expect(problems(edited)).toEqual([
      "/decisions/loan/versions/1.0.0/hash does not belong to the envelopes: they were edited, or merged wrongly",
    ]);
  });

  it("is refused when it lacks inputs", () => {
    const { loan: locked } = lock.decisions;
    if (locked === undefined) throw new Error("no loan");
    const count = locked.inputs.length;
    const cut = { ...lock, decisions: { loan: { ...locked, inputs: locked.inputs.slice(1) } } };
    expect(problems(JSON.stringify(cut))).toEqual([
      `/decisions/loan/versions/1.0.0/envelopes has ${count} entries for ${count - 1} inputs`,
    ]);
  });
});
