import { expect, it } from "vitest";
import { z } from "zod";
import { defineDecision, evaluate, type Result } from "../src/index.js";
import { anyResultSchema, envelopeSchemas, isJsonObject, okResultSchema } from "../src/schema.js";

const decision = defineDecision({
  id: "sign",
  version: "1.0.0",
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ positive: z.boolean() }),
  profileSchema: z.object({ from: z.number().default(0) }),
  rules: [
    { id: "positive", when: (input, profile) => input.n > profile.from, emit: () => ({ positive: true }) },
    {
      id: "negative",
      when: (input) => input.n < 0,
      emit: () => ({ positive: false }),
      explain: "Below zero",
    },
  ],
});

/** Data from outside, which the compiler cannot check. */
const unknown = (value: unknown): unknown => value;
const parts = envelopeSchemas();
const results: readonly (readonly [Result["status"], Result, unknown])[] = [
  ["OK", evaluate(decision, { n: -1 }), okResultSchema({}, parts.MatchMeta)],
  ["NO_MATCH", evaluate(decision, { n: 0 }), parts.NoMatchResult],
  ["INVALID_INPUT", evaluate(decision, unknown({ n: "x" })), parts.InvalidInputResult],
  ["INVALID_PROFILE", evaluate(decision, { n: 1 }, unknown({ from: "x" })), parts.InvalidProfileResult],
];

/** Lists the places where a value and its schema have different fields. */
function differences(value: unknown, schema: unknown, path = ""): readonly string[] {
  if (!isJsonObject(schema)) return [`${path}: no schema`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => differences(item, schema["items"], `${path}/${index}`));
  }
  const { properties, required } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return [];
  const missing = Array.isArray(required) ? required.filter((name) => !(String(name) in value)) : [];
  return [
    ...missing.map((name) => `${path}/${String(name)}: missing`),
    ...Object.keys(value).flatMap((name) =>
      name in properties
        ? differences(value[name], properties[name], `${path}/${name}`)
        : [`${path}/${name}: not described`],
    ),
  ];
}

it.each(results)("describes every field of an envelope with status %s", (status, result, schema) => {
  expect(result.status).toBe(status);
  expect(differences(result, schema)).toEqual([]);
});

it.each(results)("one schema for any status describes the meta of %s", (status, result) => {
  const { properties } = anyResultSchema({});
  expect(result.status).toBe(status);
  expect(differences({ meta: result.meta }, { properties })).toEqual([]);
});

it("inserts the result of `use` where one part uses another", () => {
  const referring = envelopeSchemas((part) => ({ $ref: `#/x/${part}` }));
  expect(referring.InvalidInputResult).toMatchObject({
    properties: { errors: { items: { $ref: "#/x/ValidationIssue" } }, meta: { $ref: "#/x/InvalidMeta" } },
  });
});
