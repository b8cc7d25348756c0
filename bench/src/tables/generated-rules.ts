import assert from "node:assert/strict";
import { evaluate, withProfile } from "@decern/core";
import { readResult } from "../contestants/read-result.js";
import { createReference } from "../contestants/reference.js";
import { type Entry, measure } from "../measure/rounds.js";
import type { Sizes } from "../sizes.js";
import { stepDecision } from "../workload/decisions.js";
import * as steps from "../workload/generated-rules.js";
import { atMost, round, type Table, type Target } from "./table.js";

/** W2: decisions of generated rules, the last one matches. */
export async function generatedRulesTable(sizes: Sizes): Promise<Table> {
  // All sizes are there, and were evaluated, before one is timed: a process that holds a single decision is no service.
  const cases = sizes.rules.map((count) => ({ count, entries: contestants(count, sizes) }));
  for (const { count, entries } of cases) {
    const expected = { status: "OK", rule: `step-${count - 1}`, data: { step: count - 1 } };
    for (const { run } of entries) {
      for (let index = 0; index < 1000; index += 1) assert.deepEqual(readResult(run(index)), expected);
    }
  }
  const rows: (string | number)[][] = [];
  const targets: Target[] = [];
  for (const { count, entries } of cases) {
    const [base, decern] = await measure(entries, "reference", sizes);
    if (base === undefined || decern === undefined) throw new RangeError("no timings");
    const name = `${count.toLocaleString("en-US")} ${count === 1 ? "rule" : "rules"}`;
    rows.push([
      name,
      round(base.ns),
      round(decern.ns),
      `${round(decern.spread * 100)} %`,
      round(decern.ratio),
    ]);
    targets.push(atMost(`evaluate against the reference, ${name}`, 1.15, decern.ratio, "×"));
  }
  return {
    title: "W2 generated rules, the last one matches",
    note: "ns an evaluation: median of alternating rounds; ± and × are Decern's, against the reference in the same round.",
    columns: ["", "reference", "Decern", "±", "×"],
    rows,
    targets,
  };
}

function contestants(count: number, sizes: Sizes): readonly Entry[] {
  const decision = withProfile(stepDecision(count), steps.theStepProfile);
  const reference = createReference(
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
    { name: "reference", run: (index) => reference(inputs[index % inputs.length]) },
    { name: "Decern", run: (index) => evaluate(decision, inputs[index % inputs.length]) },
  ];
}
