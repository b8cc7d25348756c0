import { expect, it } from "vitest";
import type { DocsFields, DocsListEntry } from "../../src/model/data.js";
import { findDecisions, textOf } from "../../src/model/find-decisions.js";

const decisions: readonly DocsListEntry[] = [
  {
    id: "loan-approval",
    version: "2.0.0",
    versions: [{ version: "1.4.0" }, { version: "2.0.0", default: true }],
    description: "Whether to grant a loan",
    owner: "Credit risk",
    tags: ["retail", "eu"],
    ruleIds: ["score-too-low", "score-unknown", "approve"],
  },
  { id: "score-card", version: "1.0.0", ruleIds: ["only"] },
  { id: "__proto__", version: "1.0.0", ruleIds: ["only"] },
];
const fields: DocsFields = {
  "loan-approval": [{ name: "creditScore", title: "Credit score" }, { name: "country" }],
};

function find(query: string) {
  return findDecisions(decisions, fields, query).map(({ entry: { id }, reasons }) => [
    id,
    ...reasons.map(textOf),
  ]);
}

it.each([
  ["", [["loan-approval"], ["score-card"], ["__proto__"]]],
  ["LOAN grant", [["loan-approval"]]],
  ["credit", [["loan-approval", "owner: Credit risk"]]],
  ["eu", [["loan-approval", "tag: eu"]]],
  ["too-low", [["loan-approval", "rule: score-too-low"]]],
  ["country", [["loan-approval", "field: country"]]],
  ["creditscore", [["loan-approval", "field: creditScore (Credit score)"]]],
  ["1.4", [["loan-approval", "version: 1.4.0"]]],
  ["approve country", [["loan-approval", "rule: approve", "field: country"]]],
  ["score", [["score-card"], ["loan-approval", "rule: score-too-low and 1 more"]]],
  ["loan nothing", []],
])("finds %j, those with the words in their id first, and tells why", (query, found) => {
  expect(find(query)).toEqual(found);
});

it("finds all else while the fields are not loaded", () => {
  expect(findDecisions(decisions, undefined, "country")).toEqual([]);
  expect(findDecisions(decisions, undefined, "too-low")).toHaveLength(1);
});
