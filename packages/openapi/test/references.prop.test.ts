import type { JsonSchema } from "@decern/core";
import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { expect, it } from "vitest";
import { generateOpenAPISpec } from "../src/index.js";
import { plainSchema } from "./support/plain-schema.js";
import { decisionOf, info } from "./support/zoo.js";

/** Every place in the schema below that a vendor may refer to. */
const ref = fc
  .constantFrom(
    "#",
    "#/definitions/T",
    "#/definitions/a~1b",
    "#/properties/own",
    "#/definitions/T/properties/v",
  )
  .map((target) => ({ $ref: target }));

/** Every place where a schema can contain another one, including vendor extensions. */
const { node } = fc.letrec<{ node: JsonSchema }>((tie) => {
  const inner = fc.oneof({ maxDepth: 2, depthIdentifier: "place" }, ref, tie("node"));
  return {
    node: fc.oneof(
      { depthIdentifier: "place" },
      fc.constant({ type: "string" }),
      inner.map((one) => ({ type: "array", items: one })),
      fc
        .tuple(inner, inner)
        .map((items) => ({ type: "array", items, additionalItems: false, "x-prefixItems": items })),
      inner.map((one) => ({ type: "object", properties: { one }, required: ["one"] })),
      inner.map((one) => ({
        type: "object",
        patternProperties: { "^[ab]": one },
        additionalProperties: false,
      })),
      inner.map((one) => ({ type: "object", "x-patternProperties": { "^[ab]": one } })),
      inner.map((one) => ({ type: "object", additionalProperties: one, "x-propertyNames": one })),
      inner.map((one) => ({ not: one, "x-not": one })),
      inner.map((one) => ({ anyOf: [one, { type: "null" }] })),
      inner.map((one) => ({ oneOf: [one, { type: "number" }] })),
      inner.map((one) => ({ allOf: [one] })),
      inner.map((one) => ({ if: one, else: one, "x-if": one })),
      // Data that looks like a reference but is not one.
      ref.map((data) => ({ type: "object", default: data, examples: [data] })),
      fc.constant({ type: "object", default: { $ref: "#/nowhere" }, "x-note": [{ $ref: "elsewhere.json" }] }),
    ),
  };
});

const schema = fc.tuple(node, node, node).map(
  ([own, T, other]): JsonSchema => ({
    type: "object",
    properties: { own, list: { $ref: "#/definitions/T" } },
    definitions: { T: { type: "object", properties: { v: T } }, "a/b": other },
  }),
);

/** Every `$ref` anywhere in a document. */
function refsIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "$ref" ? [inner] : refsIn(inner)));
}

function resolve(document: object, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .reduce<unknown>((value, token) => {
      const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
      return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    }, document);
}

it("every reference in a document has a target, wherever a schema refers to itself", async () => {
  let followed = 0;
  await fc.assert(
    fc.asyncProperty(schema, async (given) => {
      const meta = { note: { $ref: "#/definitions/T" } };
      const decision = {
        ...decisionOf("any", plainSchema({ "draft-07": given })),
        meta,
      };
      const document: object = JSON.parse(JSON.stringify(generateOpenAPISpec([decision], info)));
      for (const ref of refsIn(document)) {
        followed += 1;
        expect(resolve(document, String(ref)), JSON.stringify([ref, given])).toBeTypeOf("object");
      }
      const { valid, errors } = await new Validator().validate({ ...document });
      expect(valid, JSON.stringify([given, errors])).toBe(true);
    }),
    { numRuns: 12 },
  );
  expect(followed).toBeGreaterThan(200);
});
