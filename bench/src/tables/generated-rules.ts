import assert from "node:assert/strict";
import { evaluate, withProfile } from "@decern/core";
import { readResult } from "../contestants/read-result.js";
import { createReference } from "../contestants/reference.js";
import { measure } from "../measure/rounds.js";
import type { Sizes } from "../sizes.js";
import { stepDecision } from "../workload/decisions.js";
import * as steps from "../workload/generated-rules.js";
import { atMost, round, type Table, type Target } from "./table.js";

/** W2: decisions of generated rules, the last one matches. */
export async function generatedRulesTable(sizes: Sizes): Promise<Table> {
  const rows: (string | number)[][] = [];
  const targets: Target[] = [];
  for (const count of sizes.rules) {
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
    const entries = [
      { name: "reference", run: (index: number) => reference(inputs[index % inputs.length]) },
      { name: "Decern", run: (index: number) => evaluate(decision, inputs[index % inputs.length]) },
    ];
    for (const { run } of entries) {
      const expected = { status: "OK", rule: `step-${count - 1}`, data: { step: count - 1 } };
      assert.deepEqual(readResult(run(0)), expected);
    }
    const timings = await measure(entries, "reference", sizes);
    const [base, decern] = timings;
    if (base === undefined || decern === undefined) throw new RangeError("no timings");
    rows.push([
      `${count} rules`,
      round(base.ns),
      round(decern.ns),
      `${round(decern.spread * 100)} %`,
      round(decern.ratio),
    ]);
    targets.push(atMost(`evaluate against the reference, ${count} rules`, 1.15, decern.ratio, "×"));
  }
  return {
    title: "W2 generated rules, the last one matches",
    note: "ns an evaluation: median of alternating rounds; ± and × are Decern's, against the reference in the same round.",
    columns: ["", "reference", "Decern", "±", "×"],
    rows,
    targets,
  };
}
