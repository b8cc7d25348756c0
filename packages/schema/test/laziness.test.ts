import { type Decision, defineDecision, evaluate } from "@decern/core";
import { Ajv } from "ajv";
import { Type } from "typebox";
import { afterEach, expect, it, vi } from "vitest";
import { typebox } from "../src/index.js";

const compile = vi.spyOn(Ajv.prototype, "compile");
afterEach(() => compile.mockClear());
/** How many functions AJV has made. */
const compiled = (): number => new Set(compile.mock.results.map(({ value }) => value)).size;

function define(id: string, description?: string): Decision {
  return defineDecision({
    id,
    version: "1",
    inputSchema: typebox(
      Type.Object(
        {
          applicant: Type.Object({ age: Type.Integer({ minimum: 18 }), income: Type.Number({ minimum: 0 }) }),
          employment: Type.Union([Type.Literal("salaried"), Type.Literal("self-employed")]),
          country: Type.String({ pattern: "^[A-Z]{2}$" }),
        },
        description === undefined ? {} : { description },
      ),
    ),
    outputSchema: typebox(Type.Object({ approved: Type.Boolean(), rate: Type.Number() })),
    profileSchema: typebox(Type.Object({ minAge: Type.Integer(), blocked: Type.Array(Type.String()) })),
    rules: [{ id: "r", when: () => true, emit: () => ({ approved: true, rate: 1 }) }],
  });
}

const input = { applicant: { age: 30, income: 1 }, employment: "salaried", country: "DE" };
const profile = { minAge: 18, blocked: [] };

it("compiles a decision at its first evaluation, and equal schemas only once", () => {
  const decisions = Array.from({ length: 100 }, (_, index) => define(`d-${index}`, `Number ${index}`));
  expect(compile).not.toHaveBeenCalled();
  expect(evaluate(decisions[7] ?? define("d"), input, profile).status).toBe("OK");
  // Input, profile and output.
  expect(compiled()).toBe(3);
  expect(evaluate(decisions[8] ?? define("d"), input, profile).status).toBe("OK");
  expect(compiled()).toBe(4);
  expect(evaluate(decisions[8] ?? define("d"), input, profile).status).toBe("OK");
  expect(compiled()).toBe(4);
});

it("defines 10,000 decisions without compiling anything", () => {
  const decisions = Array.from({ length: 10_000 }, (_, index) => define(`d-${index}`, `Number ${index}`));
  expect(decisions).toHaveLength(10_000);
  expect(compile).not.toHaveBeenCalled();
});

it("compiles nothing more after explaining the first refused value", () => {
  const schema = typebox(
    Type.Object({
      shape: Type.Union([
        Type.Object({ kind: Type.Literal("circle"), radius: Type.Number({ minimum: 0 }) }),
        Type.Object({ kind: Type.Literal("square"), side: Type.Number({ minimum: 0 }) }),
      ]),
    }),
  );
  const refuse = () => schema["~standard"].validate({ shape: { kind: "circle", radius: -1 } });
  expect(refuse()).toMatchObject({ issues: [{ pointer: "/shape/radius" }] });
  const once = compiled();
  expect(once).toBeGreaterThan(0);
  // An AJV serves a few schemas and is then replaced, so requesting one again would compile the schema again.
  for (let count = 0; count < 50; count += 1) refuse();
  expect(compiled()).toBe(once);
});
