import { expect, it } from "vitest";
import { showDifferences } from "../../src/text/show-differences.js";

const difference = {
  decisionId: "loan",
  version: "1.0.0",
  inputs: 3,
  isProfileChanged: false,
  smallest: { input: { amount: 5 }, before: "OK/small", after: "OK/small", result: { status: "OK" } },
};

it("says that the same rule decides, where only what it returns is different", () => {
  expect(showDifferences([difference], "decisions.ts")).toContain(
    "now             OK/small, with another output or explanation\n",
  );
  const other = { ...difference, smallest: { ...difference.smallest, after: "NO_MATCH" } };
  expect(showDifferences([other], "decisions.ts")).toContain("now             NO_MATCH\n");
});
