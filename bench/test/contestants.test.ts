import { describe, expect, test } from "vitest";
import { check } from "../src/contestants/check.js";
import {
  evaluatorContestants,
  peerContestants,
  validatingContestants,
} from "../src/contestants/loan-contestants.js";
import { loanRules } from "../src/workload/loan-approval.js";
import { loanRings } from "../src/workload/loan-rings.js";

const peers = await peerContestants();
const rings = loanRings(64);
const ring = (wanted: string) => rings.find(({ name }) => name === wanted)?.samples ?? [];

describe("W1", () => {
  test("its mix reaches every rule, and its inputs differ", () => {
    const rules = new Set(ring("mix").map(({ expected }) => (expected.status === "OK" ? expected.rule : "")));
    expect([...rules].toSorted()).toEqual(loanRules.map(({ id }) => id).toSorted());
    expect(new Set(ring("mix").map(({ input }) => JSON.stringify(input))).size).toBe(64);
  });

  test.each([...validatingContestants(), ...evaluatorContestants()])(
    "$name returns the full envelope on every ring",
    async (contestant) => {
      for (const { samples } of rings) await check(contestant, samples);
    },
  );

  test.each(peers)("$name finds the rule of every valid input", async (contestant) => {
    await check(contestant, ring("mix"));
  });

  test("a contestant with wrong results is not timed", async () => {
    const [honest] = validatingContestants();
    if (honest === undefined) throw new RangeError("no contestants");
    const first = ring("mix")[0];
    const liar = { ...honest, evaluate: () => honest.evaluate(first?.input) };
    await expect(check(liar, ring("mix"))).rejects.toThrow(honest.name);
    await expect(check(liar, ring("invalid"))).rejects.toThrow(honest.name);
  });
});
