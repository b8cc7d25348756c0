import { defineDecision } from "@decern/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { createServer, type DecisionServer } from "../src/index.js";
import { broken, outcomes } from "./support/decisions.js";

const strict = defineDecision({
  id: "strict",
  version: "1",
  inputSchema: z.object({ a: z.number() }),
  outputSchema: z.object({ b: z.string() }),
  profileSchema: z.object({ limit: z.number(), name: z.string() }),
  rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
});

test("a list of different decisions needs no cast", () => {
  expectTypeOf(createServer({ decisions: [outcomes, strict, broken] })).toEqualTypeOf<DecisionServer>();
});

test("a right profile is taken, and may be left out", () => {
  createServer({ decisions: [outcomes, strict], profiles: { strict: { limit: 1, name: "n" } } });
});

test("a wrong profile fails at the exact property", () => {
  createServer({
    decisions: [outcomes, strict],
    profiles: {
      outcomes: { limit: 1 },
      strict: {
        // @ts-expect-error a number is asked for
        limit: "1",
        name: "n",
      },
    },
  });
});

test("a profile of no decision fails at its name", () => {
  createServer({
    decisions: [outcomes],
    profiles: {
      // @ts-expect-error there is no such decision
      outcome: { limit: 1 },
    },
  });
});

test("an option that does not exist fails", () => {
  // @ts-expect-error there is no such option
  createServer({ decisions: [outcomes], port: 3000 });
});

test("a feature that is on has to be built by its package", () => {
  // @ts-expect-error plain options
  createServer({ decisions: [outcomes], metrics: { enabled: true } });
  createServer({ decisions: [outcomes], metrics: { enabled: false } });
});
