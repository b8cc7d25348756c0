import { describe, expect, it } from "vitest";
import { echo, greeting } from "./support/decisions.js";
import { setUp } from "./support/set-up.js";

describe("sampling", () => {
  it("never drops faults and refusals", async () => {
    const { store, log, evaluator } = setUp({ sample: { greeting: { OK: 0, NO_MATCH: 0 } } });
    const noName: unknown = {};
    for (let index = 0; index < 20; index += 1) {
      await evaluator.evaluate(greeting, { input: { name: "Ann" } });
      await evaluator.evaluate(greeting, { input: { name: "Nobody" } });
      await evaluator.evaluate(greeting, { input: noName });
      expect(() => evaluator.evaluate(greeting, { input: { name: "throw" } })).toThrow();
      await evaluator.evaluate(echo, { input: 1 });
    }
    await log.flush();
    const counts = new Map<string, number>();
    for (const { status, decision, sampleRate } of store.records) {
      expect(sampleRate).toBe(1);
      counts.set(`${decision.id} ${status}`, (counts.get(`${decision.id} ${status}`) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({
      "greeting INVALID_INPUT": 20,
      "greeting ERROR": 20,
      "echo OK": 20,
    });
    await log.close();
  });

  it("keeps about the share that it was told, and writes that share down", async () => {
    const { store, log, evaluator } = setUp({ sample: { greeting: { OK: 0.25 } } });
    const calls = 4000;
    for (let index = 0; index < calls; index += 1)
      await evaluator.evaluate(greeting, { input: { name: "Ann" } });
    await evaluator.evaluate(greeting, { input: { name: "Nobody" } });
    await log.flush();
    const rates = store.records.map(({ status, sampleRate }) => `${status} ${sampleRate}`);
    const kept = rates.filter((rate) => rate === "OK 0.25").length;
    // Seven standard deviations: by chance, once in 10^11 runs.
    expect(Math.abs(kept - calls / 4)).toBeLessThan(7 * Math.sqrt((calls * 3) / 16));
    expect(rates.at(-1)).toBe("NO_MATCH 1");
    expect(rates).toHaveLength(kept + 1);
    await log.close();
  });
});
