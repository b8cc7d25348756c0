import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectCostInStep } from "../../../../test/suites/growth.js";
import { send } from "./raw-request.js";
import { type Target, targets } from "./targets.js";

const limit = 1024 * 1024;
const tree = Type.Cyclic(
  { Tree: Type.Object({ children: Type.Optional(Type.Array(Type.Ref("Tree"))) }) },
  "Tree",
);

/** Schemas that an input could keep busy for a long time. */
const decision = defineDecision({
  id: "heavy",
  version: "1.0.0",
  inputSchema: typebox(
    Type.Object({
      numbers: Type.Optional(Type.Array(Type.Number())),
      unique: Type.Optional(Type.Array(Type.Any(), { uniqueItems: true })),
      code: Type.Optional(Type.String({ pattern: "^[a-z]+(-[a-z]+)*$" })),
      email: Type.Optional(Type.String({ format: "email" })),
      uri: Type.Optional(Type.String({ format: "uri" })),
      when: Type.Optional(Type.String({ format: "date-time" })),
      map: Type.Optional(Type.Record(Type.String(), Type.Number())),
      tree: Type.Optional(tree),
      any: Type.Optional(Type.Any()),
    }),
  ),
  outputSchema: typebox(Type.Object({ ok: Type.Boolean() })),
  profileSchema: typebox(Type.Object({})),
  rules: [{ id: "any", when: () => true, emit: () => ({ ok: true }) }],
});

/** As many as fit into a body of `size` bytes. */
function fill(size: number, item: string, separator = ","): string {
  const count = Math.floor((size - 100) / (item.length + separator.length));
  return Array.from({ length: count }, () => item).join(separator);
}

function distinct(size: number, make: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < size - 200; index += 1) {
    const part = make(index);
    length += part.length + 1;
    parts.push(part);
  }
  return parts.join(",");
}

/** Nested values, as deep as fits into `size` bytes. */
function nest(size: number, before: string, middle: string, after: string): string {
  const depth = Math.floor((size - 100) / (before.length + after.length));
  return before.repeat(depth) + middle + after.repeat(depth);
}

const inputs: readonly (readonly [name: string, ofSize: (size: number) => string])[] = [
  ["an array of errors", (size) => `{"numbers":[${fill(size, '"x"')}]}`],
  ["a map of errors", (size) => `{"map":{${distinct(size, (index) => `"k${index}":"x"`)}}}`],
  ["unique numbers", (size) => `{"unique":[${distinct(size, String)}]}`],
  ["unique objects", (size) => `{"unique":[${distinct(size, (index) => `{"a":${index},"b":[1,2]}`)}]}`],
  [
    "equal objects at the end",
    (size) => `{"unique":[${distinct(size, (index) => `{"a":${index}}`)},{"a":0}]}`,
  ],
  ["deep arrays", (size) => `{"any":${nest(size, "[", "", "]")}}`],
  ["deep objects", (size) => `{"any":${nest(size, '{"a":', "1", "}")}}`],
  ["a deep recursive type", (size) => `{"tree":${nest(size, '{"children":[', "{}", "]}")}}`],
  ["a wide recursive type", (size) => `{"tree":{"children":[${fill(size, '{"children":[]}')}]}}`],
  ["a text for a pattern", (size) => `{"code":"${"a-".repeat(size / 2 - 50)}!"}`],
  ["a text for the e-mail format", (size) => `{"email":"${"a.".repeat(size / 2 - 50)}"}`],
  ["a text for the URI format", (size) => `{"uri":"http://${"a".repeat(size - 100)} "}`],
  ["a text for the date format", (size) => `{"when":"${"2".repeat(size - 100)}"}`],
  ["many unknown names", (size) => `{${distinct(size, (index) => `"n${index}":0`)}}`],
  ["one long number", (size) => `{"numbers":[${"9".repeat(size - 100)}]}`],
  ["escapes", (size) => `{"any":"${"\\u0000".repeat(size / 6 - 50)}"}`],
];

describe.each(["server", "express", "fastify"] as const)(
  "%s: the cost of a body grows in proportion to its size",
  (name) => {
    let target: Target;
    beforeAll(async () => {
      target = await targets[name]({ decisions: [decision] });
      await post("{}");
    });
    afterAll(() => target.close());

    const post = (input: string) =>
      send(target.port, {
        method: "POST",
        path: "/decisions/heavy",
        headers: { "content-type": "application/json" },
        body: name === "server" ? `{"input":${input}}` : input,
      });

    it.each(inputs)("%s", async (_what, ofSize) => {
      // The client is measured too: both run in this process.
      await expectCostInStep(
        (size) => {
          const input = ofSize(size);
          expect(input.length).toBeGreaterThan(size * 0.9);
          expect(input.length).toBeLessThan(size);
          return async () => {
            const reply = await post(input);
            expect(reply.status, reply.text.slice(0, 200)).toBeLessThan(500);
            expect(reply.text.length).toBeLessThan(20_000);
          };
        },
        [limit / 32, limit],
      );
    });

    it("refuses more than 1 MiB", async () => {
      const reply = await post(`{"any":"${"x".repeat(limit)}"}`);
      expect({ status: reply.status, text: JSON.parse(reply.text) }).toEqual({
        status: 413,
        text: { error: "Request body is too large", code: "BODY_TOO_LARGE" },
      });
    });
  },
);
