import { type } from "arktype";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineDecision, evaluate, type Schema } from "../src/index.js";

const decision = defineDecision({
  id: "quoting",
  version: "1.0.0",
  inputSchema: type({ email: "string.email", "plan?": "'free' | number", "day?": "string.date" }),
  outputSchema: type({ ok: "boolean" }),
  profileSchema: type({}),
  rules: [{ id: "any", when: () => true, emit: () => ({ ok: true }) }],
});
const secret = "s3cr3t";

it.each([")", '"', '")', " (was ", ") (was (", "\n)", "\\)", "((", "))"])(
  "a message never quotes a value, even one with %j in it",
  (around) => {
    const value = `${around}${secret}${around}`;
    const result = evaluate(decision, { email: value, plan: value, day: value } as unknown);
    expect(result).toMatchObject({ status: "INVALID_INPUT", errors: [{ path: "/email" }, {}, {}] });
    expect(JSON.stringify(result)).not.toContain(secret);
  },
);

it("a message never quotes any value", () => {
  const parts = fc.array(fc.constantFrom(")", "(", '"', " (was ", "\\", "\n", "a", ":"), { maxLength: 6 });
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      const value = `${before.join("")}${secret}${after.join("")}`;
      expect(JSON.stringify(evaluate(decision, { email: value, plan: value } as unknown))).not.toContain(
        secret,
      );
    }),
  );
});

it("lists the allowed values of a union of literals, which Zod keeps in its branches", () => {
  const plans = z.union([z.literal("free"), z.literal("paid"), z.literal(3)]);
  const inputSchema = z.object({ plan: plans, other: z.union([z.literal("free"), z.object({})]) });
  const own = {
    id: "plans",
    version: "1",
    inputSchema,
    outputSchema: z.object({}),
    profileSchema: z.object({}),
  };
  const plan = defineDecision({ ...own, rules: [{ id: "any", when: () => true, emit: () => ({}) }] });
  expect(evaluate(plan, { plan: secret, other: 7 } as unknown)).toMatchObject({
    errors: [
      { path: "/plan", message: 'must be one of "free", "paid", 3' },
      { path: "/other", message: "Invalid input" },
    ],
  });
});

/** The message that a caller reads of what a schema of some vendor says about an input. */
function messageOf(message: string, input: unknown): unknown {
  const describe = () => ({});
  const validate = () => ({ issues: [{ message }] });
  const inputSchema: Schema = {
    "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input: describe, output: describe } },
  };
  const { id, version, outputSchema, profileSchema } = decision;
  const rules = [{ id: "any", when: () => true, emit: () => ({ ok: true }) }];
  const result = evaluate(
    defineDecision({ id, version, inputSchema, outputSchema, profileSchema, rules }),
    input,
  );
  return result.status === "INVALID_INPUT" ? result.errors[0]?.message : result.status;
}

it.each([
  [1000, "1000 is above the limit"],
  [1000, "1,000 is above the limit"],
  [1000, "1_000 is above the limit"],
  [1000, "1 000 is above the limit"],
  [1000, "1e3 is above the limit"],
  [-1000, "-1,000 is below the limit"],
  [0.5, "0.50 is above the limit"],
  [true, "true is not allowed"],
  [null, "null is not allowed"],
  ["1000", "1,000 is above the limit"],
  ["ab", 'Unknown code "ab"'],
])("a message never repeats %j, however it is written: %s", (value, message) => {
  expect(messageOf(message, value)).toBe("is not valid");
});

it.each([
  [1000, "must be at most 100"],
  [1000, "must be at most 10,000"],
  [10, "must be at most 100"],
  [false, "must be true"],
  ["ab", "must be about something"],
])("a message that has nothing of %j in it stays: %s", (value, message) => {
  expect(messageOf(message, value)).toBe(message);
});
