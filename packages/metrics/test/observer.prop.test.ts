import { type Decision, defineDecision } from "@decern/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import {
  METRIC_EVALUATION_DURATION_SECONDS,
  METRIC_EVALUATIONS_TOTAL,
  METRIC_RULE_MATCHES_TOTAL,
  MetricsCollector,
} from "../src/index.js";
import { evaluatorWith } from "./fixtures.js";

const ruleIds = ["low", "middle", "high"] as const;

/** A decision whose input selects the matching rule. Hosts may use the same id with other rules, or in another order. */
function decision(id: string, rules: readonly string[]): Decision {
  return defineDecision({
    id,
    version: "1",
    inputSchema: z.object({ rule: z.string() }),
    outputSchema: z.object({}),
    profileSchema: z.object({}),
    rules: rules.map((rule) => ({
      id: rule,
      when: (input: { rule: string }) => input.rule === rule,
      emit: () => ({}),
    })),
  });
}

const calls = fc.array(
  fc.record({
    id: fc.constantFrom("a", "b"),
    rules: fc.constantFrom(ruleIds, ruleIds.toReversed(), ruleIds.slice(1)),
    rule: fc.constantFrom(...ruleIds, "none", undefined),
    reset: fc.constantFrom(...Array.from({ length: 19 }, () => false), true),
  }),
  { maxLength: 60 },
);

it("counts like a simple model, in any interleaving of hosts whose decisions share an id", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      const collector = new MetricsCollector();
      const evaluator = evaluatorWith(collector.observer);
      let tally = new Map<string, number>();
      const add = (key: string): void => void tally.set(key, (tally.get(key) ?? 0) + 1);
      for (const { id, rules, rule, reset } of sequence) {
        if (reset) {
          collector.reset();
          tally = new Map();
        }
        await evaluator.evaluate(decision(id, rules), { input: rule === undefined ? {} : { rule } });
        const matched = rule !== undefined && rules.some((known) => known === rule);
        add(`${id} ${matched ? "OK" : rule === undefined ? "INVALID_INPUT" : "NO_MATCH"}`);
        add(`${id} evaluations`);
        if (matched) add(`${id} rule ${rule}`);
      }
      for (const decision_id of ["a", "b"]) {
        for (const status of ["OK", "NO_MATCH", "INVALID_INPUT"]) {
          const count = collector.getCounter(METRIC_EVALUATIONS_TOTAL, { decision_id, status });
          expect(count).toBe(tally.get(`${decision_id} ${status}`) ?? 0);
        }
        for (const rule_id of ruleIds) {
          const count = collector.getCounter(METRIC_RULE_MATCHES_TOTAL, { decision_id, rule_id });
          expect(count).toBe(tally.get(`${decision_id} rule ${rule_id}`) ?? 0);
        }
        const { count } = collector.getHistogram(METRIC_EVALUATION_DURATION_SECONDS, { decision_id });
        expect(count).toBe(tally.get(`${decision_id} evaluations`) ?? 0);
      }
    }),
    { numRuns: 200 },
  );
});
