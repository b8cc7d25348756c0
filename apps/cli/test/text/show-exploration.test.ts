import type { Exploration } from "@decern/testing";
import { expect, it } from "vitest";
import { showExploration } from "../../src/text/show-exploration.js";

const rules = Array.from({ length: 40 }, (_, index) => `rule-${index}`);
const witness = { input: { amount: 5 } };

const found: Exploration = {
  decisionId: "loan",
  decisionVersion: "1.0.0",
  runs: 2000,
  seed: 1,
  coverage: 38 / 40,
  rules: rules.map((ruleId, index) => ({
    ruleId,
    decided: index < 2 ? 0 : 5,
    matched: 5,
    ...(index < 2 ? {} : { witness }),
    shadowedBy: index < 2 ? ["rule-9"] : [],
  })),
  overlaps: rules.flatMap((one, index) =>
    rules.slice(index + 1).map((other) => ({ rules: [one, other] as const, witness, differs: true })),
  ),
  faults: [],
  boundaries: [],
  steps: [],
};

it("fits a screen with 40 rules, and shows those that decide nothing", () => {
  const text = showExploration(found, false);
  expect(text.split("\n").length).toBeLessThanOrEqual(25);
  for (const name of ["rule-0", "rule-1"])
    expect(text).toContain(`  ${name}: matched 5, but an earlier rule`);
  expect(text).toContain("38 rules decided some input; --all shows one for each\n");
  expect(text).toContain("and 775 more; --all shows them\n");
});

it("shows everything on request", () => {
  const text = showExploration(found, true);
  for (const name of rules) expect(text).toMatch(new RegExp(`\n  ${name}[,:]`));
  expect(text.match(/with a different output/g)).toHaveLength(780);
  expect(text).not.toContain("--all");
});
