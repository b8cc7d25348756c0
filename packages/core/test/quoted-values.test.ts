import { type } from "arktype";
import fc from "fast-check";
import { expect, it } from "vitest";
import { defineDecision, evaluate } from "../src/index.js";

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
  "a message never quotes a value, also when it has %j in it",
  (around) => {
    const value = `${around}${secret}${around}`;
    const result = evaluate(decision, { email: value, plan: value, day: value } as unknown);
    expect(result).toMatchObject({ status: "INVALID_INPUT", errors: [{ path: "/email" }, {}, {}] });
    expect(JSON.stringify(result)).not.toContain(secret);
  },
);

it("a message never quotes a value, whatever it is made of", () => {
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
