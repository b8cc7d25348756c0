import assert from "node:assert/strict";
import { evaluate, withProfile } from "@decern/core";
import { readResult } from "../contestants/read-result.js";
import { createReference } from "../contestants/reference.js";
import { type Entry, findTiming, measure, type Timing } from "../measure/rounds.js";
import type { Sizes } from "../sizes.js";
import { stepDecision } from "../workload/decisions.js";
import * as steps from "../workload/generated-rules.js";
import type { InProcessTable } from "./in-process-table.js";
import { atMost, round } from "./table.js";

/** W2: decisions of generated rules, the last one matches. */
export const generatedRulesTable: InProcessTable = {
  async time(sizes) {
    // All sizes are there, and were evaluated, before one is timed: a process that holds a single decision is no service.
    const cases = sizes.rules.map((count) => ({ count, entries: contestants(count, sizes) }));
    for (const { count, entries } of cases) {
      const expected = { status: "OK", rule: `step-${count - 1}`, data: { step: count - 1 } };
      for (const { run } of entries) {
        for (let index = 0; index < 1000; index += 1) assert.deepEqual(readResult(run(index)), expected);
      }
    }
    const timings: Timing[] = [];
    for (const { count, entries } of cases) {
      timings.push(...(await measure(entries, nameOf(reference, count), sizes)));
    }
    return timings;
  },
  table(timings) {
    const rules = timings.filter(({ name }) => name.startsWith(decern));
    const cases = rules.map((measured) => {
      const name = measured.name.slice(decern.length);
      return { name, measured, base: findTiming(timings, reference + name) };
    });
    return {
      title: "W2 generated rules, the last one matches",
      note: "ns per evaluation; ± and × are Decern's, against the reference.",
      columns: ["", "reference", "Decern", "±", "×"],
      rows: cases.map(({ name, measured, base }) => [
        name,
        round(base.ns),
        round(measured.ns),
        `${round(measured.spread * 100)} %`,
        round(measured.ratio),
      ]),
      targets: cases.map(({ name, measured }) =>
        atMost(`evaluate against the reference, ${name}`, 1.15, measured.ratio, "×"),
      ),
    };
  },
};

const reference = "reference, ";
const decern = "Decern, ";

function nameOf(who: string, count: number): string {
  return `${who}${count.toLocaleString("en-US")} ${count === 1 ? "rule" : "rules"}`;
}

function contestants(count: number, sizes: Sizes): readonly Entry[] {
  const decision = withProfile(stepDecision(count), steps.theStepProfile);
  const byHand = createReference(
    {
      id: decision.id,
      version: decision.version,
      input: steps.stepInput,
      output: steps.stepOutput,
      profile: steps.stepProfile,
      rules: steps.generatedRules(count),
    },
    steps.theStepProfile,
  );
  const inputs = Array.from({ length: sizes.ring }, () => steps.lastStepInput(count));
  return [
    { name: nameOf(reference, count), run: (index) => byHand(inputs[index % inputs.length]) },
    { name: nameOf(decern, count), run: (index) => evaluate(decision, inputs[index % inputs.length]) },
  ];
}
