import {
  type Decision,
  defineDecision,
  type Hooks,
  type Identity,
  type ProfileResolver,
  type ProfilesOf,
  type VersionsOf,
  withProfile,
} from "@decern/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { watchProfiles } from "../../../test/support/watch.js";
import { createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { broken, outcomes } from "./support/decisions.js";

const strict = defineDecision({
  id: "strict",
  version: "1",
  inputSchema: z.object({ a: z.number() }),
  outputSchema: z.object({ b: z.string() }),
  profileSchema: z.object({ limit: z.number(), name: z.string() }),
  rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
});

const limited = { outcomes: { limit: 1 } };
const profiles = { ...limited, strict: { limit: 1, name: "n" } };

test("a list of different decisions needs no cast", () => {
  expectTypeOf(
    createServer({ decisions: [outcomes, strict, broken], profiles }),
  ).toEqualTypeOf<DecisionServer>();
});

test("a decision that needs a profile has one, or does not compile", () => {
  createServer({ decisions: [broken] });
  createServer({ decisions: [outcomes, strict], profiles });
  // @ts-expect-error strict has none
  createServer({ decisions: [outcomes, strict], profiles: limited });
  // @ts-expect-error outcomes has none
  createServer({ decisions: [outcomes] });
  const decisions = [outcomes, broken] as const;
  // @ts-expect-error outcomes has none
  createServer({ decisions });
  // @ts-expect-error nothing brings one
  createServer({ decisions, profiles: undefined });
  // @ts-expect-error callers may send none
  createServer({ decisions, profileOverride: false });
  // @ts-expect-error only where somebody names it
  createServer({ decisions, profiles: { "outcomes#strict": { limit: 1 } } });
  createServer({ decisions, profiles: { "outcomes@1.2.0": { limit: 1 } } });
  const user = defineDecision({
    id: "user",
    version: "1",
    inputSchema: z.object({}),
    outputSchema: z.object({ b: z.string() }),
    profileSchema: z.object({}),
    uses: [outcomes],
    rules: [{ id: "r", when: () => true, emit: () => ({ b: "" }) }],
  });
  // @ts-expect-error the used decision has none
  createServer({ decisions: [user] });
  createServer({ decisions: [user], profiles: limited });
});

test("what brings profiles may be something else", () => {
  createServer({ decisions: [outcomes], profileResolver: ({ named }) => named("strict") });
  createServer({ decisions: [outcomes], profileOverride: "replace" });
  createServer({ decisions: [outcomes], profiles: watchProfiles({ file: "profiles.json" }) });
  createServer({ decisions: [withProfile(outcomes, { limit: 1 })] });
});

test("what TypeScript does not know is left to the start", () => {
  const decisions: readonly Decision[] = [outcomes, strict];
  createServer({ decisions });
  createServer({ decisions, profiles: { anything: { limit: 1 } } });
  const byId: Readonly<Record<string, { limit: number }>> = {};
  createServer({ decisions: [outcomes], profiles: byId });
  const options: Partial<ServerOptions<readonly [typeof outcomes]>> = {};
  createServer({ decisions: [outcomes], ...options });
  const all: ServerOptions = { decisions: [outcomes] };
  createServer(all);
  const maybe: ProfileResolver | undefined = undefined;
  createServer({ decisions: [outcomes], profileResolver: maybe });
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
      ...limited,
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
    profiles: { ...limited, "outcomes#strict": { limit: 1 } },
  });
  createServer({
    decisions: [outcomes],
    profiles: limited,
    // @ts-expect-error there is no such decision
    versions: { outcome: { default: "1.2.0" } },
  });
  createServer({
    decisions: [outcomes, broken],
    profiles: limited,
    // @ts-expect-error there is no such version
    versions: { outcomes: { default: "1.2.1" } },
    // @ts-expect-error there is no such version
    shadow: { broken: { version: "1.2.0" } },
  });
  createServer({
    decisions: [outcomes],
    profiles: limited,
    // @ts-expect-error there is no such decision
    shadow: { outcome: { version: "1.2.0" } },
  });
  createServer({
    decisions: [outcomes],
    profiles: limited,
    // @ts-expect-error there is no such decision
    callerProfiles: { outcome: ["strict"] },
  });
  // @ts-expect-error there is no such choice
  createServer({ decisions: [outcomes], profileOverride: "add" });
});

test("versions outside of the options keep their types with satisfies", () => {
  const decisions = [outcomes, broken] as const;
  const versions = { outcomes: { default: "1.2.0" } } satisfies VersionsOf<typeof decisions>;
  createServer({ decisions, profiles: limited, versions });
  // @ts-expect-error there is no such version
  ({ outcomes: { default: "1.2.1" } }) satisfies VersionsOf<typeof decisions>;
});

test("what authenticate returns is what the other callbacks see", () => {
  const authenticate = async () => (Math.random() > 2 ? false : { caller: "me", tenant: "north" });
  createServer({
    decisions: [outcomes],
    authenticate: async (request) =>
      request.headers["x-key"] === "s3cret" && { caller: "me", tenant: { id: 1 } },
    profileResolver: ({ request, named }) => {
      expectTypeOf(request?.identity?.tenant).toEqualTypeOf<{ id: number } | undefined>();
      // @ts-expect-error tenant, not tennant
      return named(String(request?.identity?.tennant));
    },
    records: ({ identity }) => identity?.tenant.id === 1,
    hooks: {
      beforeEvaluate: ({ request }) => {
        expectTypeOf(request?.identity?.tenant).toEqualTypeOf<{ id: number } | undefined>();
      },
    },
    versions: {
      outcomes: {
        default: "1.2.0",
        select: ({ request }) => (request?.identity?.tenant.id === 1 ? "1.2.0" : undefined),
      },
    },
  });
  const hooks: Hooks = {};
  createServer({ decisions: [broken], hooks, authenticate });
  createServer({
    decisions: [broken],
    authenticate: () => true,
    hooks: {
      beforeEvaluate: ({ request }) => {
        expectTypeOf(request?.identity).toEqualTypeOf<Identity | undefined>();
      },
    },
  });
  // @ts-expect-error an identity has a caller
  createServer({ decisions: [broken], authenticate: () => ({ name: "me" }) });
});

test("profiles may be watched", () => {
  createServer({ decisions: [outcomes, strict], profiles: watchProfiles({ file: "profiles.json" }) });
});

test("an unknown option fails", () => {
  // @ts-expect-error there is no such option
  createServer({ decisions: [outcomes], profiles: limited, port: 3000 });
});

test("a feature that is on must be built by its package", () => {
  // @ts-expect-error plain options
  createServer({ decisions: [outcomes], profiles: limited, metrics: { enabled: true } });
  createServer({ decisions: [outcomes], profiles: limited, metrics: { enabled: false } });
});
