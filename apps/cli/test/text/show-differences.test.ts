import { expect, it } from "vitest";
import { showDifferences } from "../../src/text/show-exploration.js";

const difference = {
  decisionId: "loan",
  version: "1.0.0",
  inputs: 3,
  isProfileChanged: false,
  smallest: { input: { amount: 5 }, before: "OK/small", after: "OK/small", result: { status: "OK" } },
};

it("shows how to accept every change", () => {
  const next = { ...difference, version: "2.0.0", inputs: 1 };
  const text = showDifferences([difference, next], "decisions.ts");
  expect(text).toContain("decern lock decisions.ts --accept loan@1.0.0 --accept loan@2.0.0\n");
  expect(text).toContain("loan 1.0.0 gives different results for 3 locked inputs\n");
  expect(text).toContain("loan 2.0.0 gives a different result for 1 locked input\n");
});

it("says that the same rule decides, where only what it returns is different", () => {
  expect(showDifferences([difference], "decisions.ts")).toContain(
    "now             OK/small, with a different output or explanation\n",
  );
  const other = { ...difference, smallest: { ...difference.smallest, after: "NO_MATCH" } };
  expect(showDifferences([other], "decisions.ts")).toContain("now             NO_MATCH\n");
});
