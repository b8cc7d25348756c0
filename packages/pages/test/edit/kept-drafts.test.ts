import { describe, expect, it } from "vitest";
import { draftOf } from "../../src/draft/draft.js";
import { readKept } from "../../src/edit/kept-drafts.js";

const draft = draftOf({
  table: "fee",
  version: "1",
  hitPolicy: "U",
  inputs: [{ path: "kg" }],
  outputs: [{ path: "fee" }],
  rules: [{ id: "a", if: ["> 1"], then: [2] }],
  default: [0],
});
const kept = { draft, basedOn: "sha256:0", savedAt: "2026-03-03T00:00:00.000Z" };

describe("a draft that the browser kept", () => {
  it("is read as it was", () => {
    expect(readKept(JSON.stringify(kept))).toEqual(kept);
    expect(readKept(null)).toBeUndefined();
  });

  it.each([
    ["{"],
    ["3"],
    [{ ...kept, basedOn: 1 }],
    [{ ...kept, draft: { ...draft, rows: [{ key: 0, values: ["a", "> 1"] }] } }],
    [{ ...kept, draft: { ...draft, rows: [{ key: 0, values: ["a", 1, "2", "", "", ""] }] } }],
    [{ ...kept, draft: { ...draft, head: { ...draft.head, inputs: [3] } } }],
    [{ ...kept, draft: { ...draft, otherwise: { key: 1 } } }],
  ])("is none where a different release wrote %j", (text) => {
    expect(readKept(typeof text === "string" ? text : JSON.stringify(text))).toBeUndefined();
  });
});
