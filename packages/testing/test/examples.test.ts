import { defineDecision, evaluate } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { examples } from "../src/index.js";

function withExamples(listed: unknown) {
  return defineDecision({
    id: "door",
    version: "1.0.0",
    meta: listed === undefined ? {} : { examples: listed },
    inputSchema: z.object({ key: z.string() }),
    outputSchema: z.object({ open: z.boolean() }),
    profileSchema: z.object({}),
    rules: [{ id: "any-key", when: ({ key }) => key !== "", emit: () => ({ open: true }) }],
  });
}

const door = withExamples([
  { name: "A key", input: { key: "iron" }, expect: { status: "OK", matchedRule: "any-key" } },
  { name: "No key", input: { key: "" }, expect: { status: "NO_MATCH" } },
]);

describe("examples", () => {
  it.each(examples(door))("are rows of a table: $name", ({ input, expect: { status } }) => {
    expect(evaluate(door, input).status).toBe(status);
  });

  it("are none where a decision has none", () => {
    expect(examples(withExamples(undefined))).toEqual([]);
  });

  it.each([
    ["no list", { name: "A key" }, "/meta/examples"],
    ["no object", [7], "/meta/examples/0"],
    ["no name", [{ input: {}, expect: { status: "OK" } }], "/meta/examples/0/name"],
    ["no input", [{ name: "a", expect: { status: "OK" } }], "/meta/examples/0/input"],
    ["nothing that is expected", [{ name: "a", input: {} }], "/meta/examples/0/expect"],
    [
      "a status of its own",
      [{ name: "a", input: {}, expect: { status: "FINE" } }],
      "/meta/examples/0/expect/status",
    ],
    [
      "a rule that is not there",
      [{ name: "a", input: {}, expect: { status: "OK", matchedRule: "no-key" } }],
      "/meta/examples/0/expect/matchedRule",
    ],
  ])("are refused with %s", (_what, listed, path) => {
    expect(() => examples(withExamples(listed))).toThrow(
      expect.objectContaining({
        code: "INVALID_DECISION",
        problems: [expect.objectContaining({ path })],
      }),
    );
  });
});
