import { defineDecision, type ProfilesOf, watchProfiles } from "@decern/core";
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

test("a valid profile is accepted, and may be left out", () => {
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

test("profiles that are typed for some of the decisions do not say which decisions there are", () => {
  const profiles: ProfilesOf<readonly [typeof outcomes]> = {};
  createServer({ decisions: [outcomes, broken], profiles });
});

test("a profile for an unknown decision fails at its name", () => {
  createServer({
    decisions: [outcomes],
    profiles: {
      // @ts-expect-error there is no such decision
      outcome: { limit: 1 },
    },
  });
});

test("versions, shadow and callerProfiles are by id", () => {
  createServer({
    decisions: [outcomes],
    versions: { outcomes: { default: "1.2.0", select: ({ caller }) => caller } },
    shadow: { outcomes: { decision: broken, sample: 0.1 } },
    callerProfiles: { outcomes: ["strict"] },
    profiles: { "outcomes#strict": { limit: 1 } },
  });
  createServer({
    decisions: [outcomes],
    // @ts-expect-error there is no such decision
    versions: { outcome: { default: "1.2.0" } },
  });
  createServer({
    decisions: [outcomes],
    // @ts-expect-error there is no such decision
    shadow: { outcome: { version: "1.2.0" } },
  });
  createServer({
    decisions: [outcomes],
    // @ts-expect-error there is no such decision
    callerProfiles: { outcome: ["strict"] },
  });
  // @ts-expect-error there is no such choice
  createServer({ decisions: [outcomes], profileOverride: "add" });
});

test("profiles may be watched", () => {
  createServer({ decisions: [outcomes, strict], profiles: watchProfiles({ file: "profiles.json" }) });
});

test("an unknown option fails", () => {
  // @ts-expect-error there is no such option
  createServer({ decisions: [outcomes], port: 3000 });
});

test("a feature that is on must be built by its package", () => {
  // @ts-expect-error plain options
  createServer({ decisions: [outcomes], metrics: { enabled: true } });
  createServer({ decisions: [outcomes], metrics: { enabled: false } });
});
