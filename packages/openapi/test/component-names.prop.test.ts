import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generateOpenAPISpec } from "../src/index.js";
import { decisionOf, info } from "./support/zoo.js";

// Few letters, so ids often collide.
const alike = fc.string({
  unit: fc.constantFrom("a", "A", "b", "1", "2", "-", "_", ".", "~"),
  minLength: 1,
  maxLength: 5,
});
const likeOurs = fc.constantFrom(
  "error",
  "no-match",
  "no-match-result",
  "a-input",
  "a-ok",
  "result",
  "input",
  "decision",
);
const ids = fc
  .uniqueArray(fc.oneof(alike, likeOurs), { maxLength: 20 })
  .map((list) => list.filter((id) => id !== "." && id !== ".."));
const input = z.object({ node: z.object({ a: z.string() }).meta({ id: "Input" }) });

describe("names in a document", () => {
  it("are never used twice, for any ids", () => {
    fc.assert(
      fc.property(ids, (list) => {
        const decisions = list.map((id) => decisionOf(id, input));
        const { components, paths } = generateOpenAPISpec(decisions, info);
        const empty = Object.keys(generateOpenAPISpec([], info).components.schemas);
        const names = Object.keys(components.schemas);
        // The input, its definition, the output, the profile, the request and two results.
        expect(names.length).toBe(empty.length + list.length * 7);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
        expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
        const operations = Object.values(paths).flatMap(({ get, post }) =>
          [get, post].filter((one) => one !== undefined),
        );
        const operationIds = operations.map(({ operationId }) => operationId);
        expect(new Set(operationIds).size).toBe(operationIds.length);
        expect(operationIds.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
        for (const id of list) expect(paths[`/decisions/${id}`]?.post?.["x-decision-id"]).toBe(id);
      }),
      { numRuns: 60 },
    );
  });
});
