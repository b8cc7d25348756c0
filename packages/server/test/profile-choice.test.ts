import type { ProfileCall } from "@decern/core";
import { describe, expect, it } from "vitest";
import { apiKeys, createServer, type ServerOptions } from "../src/index.js";
import { fakeMetrics } from "./support/fake-features.js";
import { input, quote1, quote2 } from "./support/quotes.js";
import { recordingLogger } from "./support/recording-logger.js";

const decisions = [quote1, quote2];
const versions = { quote: { default: "1.0.0" } };
const profiles = {
  quote: { rate: 2, label: "standard" },
  "quote@2.0.0": { rate: 3, label: "standard of 2" },
  "quote#strict": { rate: 4, label: "strict" },
  "quote@2.0.0#strict": { rate: 5, label: "strict of 2" },
  "quote#internal": { rate: 6, label: "internal" },
};
const callerProfiles = { quote: ["strict"] };

function make(options: Partial<ServerOptions<typeof decisions>> = {}) {
  return createServer({
    decisions,
    versions,
    profiles,
    callerProfiles,
    logger: false,
    docs: false,
    ...options,
  });
}

async function ask(
  { handler }: ReturnType<typeof make>,
  more: object = {},
  url = "/decisions/quote",
  headers: Record<string, string> = {},
) {
  const reply = await handler.inject({ method: "POST", url, headers, payload: { input, ...more } });
  return { status: reply.statusCode, body: reply.json(), text: reply.body };
}

/** The profile that an evaluation used. */
async function used(...told: Parameters<typeof ask>) {
  const { body } = await ask(...told);
  return [body.data?.rate, body.data?.label];
}

const pinned = "/decisions/quote/versions/2.0.0";

describe("without a choice", () => {
  it("uses the default profile, or that of the version", async () => {
    const server = make();
    expect(await used(server)).toEqual([2, "standard"]);
    expect(await used(server, {}, pinned)).toEqual([3, "standard of 2"]);
  });
});

describe("profileResolver", () => {
  const byTenant =
    (choose: (tenant: string, call: ProfileCall) => unknown) =>
    (call: ProfileCall): unknown =>
      choose(String(call.request?.headers["x-tenant"]), call);
  const tenant = (name: string) => ({ "x-tenant": name });

  it.each([
    ["at once", (profile: unknown) => profile],
    ["with a promise", async (profile: unknown) => profile],
  ])("chooses each tenant's profile %s; undefined is the default", async (_how, wrap) => {
    const profileResolver = byTenant((name, { named }) =>
      wrap(name === "own" ? { rate: 9 } : name === "strict" ? named("strict") : undefined),
    );
    const server = make({ profileResolver });
    expect(await used(server, {}, undefined, tenant("own"))).toEqual([9, "none"]);
    expect(await used(server, {}, undefined, tenant("strict"))).toEqual([4, "strict"]);
    expect(await used(server, {}, pinned, tenant("strict"))).toEqual([5, "strict of 2"]);
    expect(await used(server, {}, undefined, tenant("other"))).toEqual([2, "standard"]);
  });

  it("is told the decision, its version and the caller", async () => {
    const calls: unknown[] = [];
    const server = make({
      authenticate: apiKeys({ keys: { shop: "k" } }),
      profileResolver: ({ decisionId, decisionVersion, caller }) =>
        void calls.push([decisionId, decisionVersion, caller]),
    });
    await ask(server, {}, pinned, { "x-api-key": "k" });
    expect(calls).toEqual([["quote", "2.0.0", "shop"]]);
  });

  it("is not asked where the caller sent a profile that replaces the host's, or chose one", async () => {
    const server = make({
      profileResolver: () => {
        throw new Error("asked");
      },
    });
    expect(await used(server, { profile: { rate: 7 } })).toEqual([7, "none"]);
    expect(await used(server, { profileName: "strict" })).toEqual([4, "strict"]);
  });

  it.each([
    [
      "throws",
      500,
      "INTERNAL_ERROR",
      () => {
        throw new Error("secret");
      },
    ],
    ["rejects", 500, "INTERNAL_ERROR", () => Promise.reject(new Error("secret"))],
    ["returns a profile that breaks its schema", 500, "INVALID_HOST_PROFILE", () => ({ rate: "secret" })],
    ["returns null", 500, "INVALID_HOST_PROFILE", () => null],
    ["names a profile that there is not", 500, "INTERNAL_ERROR", ({ named }: ProfileCall) => named("secret")],
    ["never settles", 503, "HOOK_TIMEOUT", () => new Promise(() => {})],
  ])(
    "is the host's fault when it %s: masked, logged and counted",
    async (_how, status, code, profileResolver) => {
      const logger = recordingLogger();
      const metrics = fakeMetrics();
      const server = make({ profileResolver, logger, metrics, hookTimeoutMs: 30 });
      const reply = await ask(server);
      expect({ status: reply.status, code: reply.body.code }).toEqual({ status, code });
      expect(reply.text).not.toContain("secret");
      expect(logger.entries).toHaveLength(1);
      expect(metrics.events.map((event) => event.status)).toEqual(["ERROR"]);
    },
  );
});

describe("profileName", () => {
  it("chooses a profile that the host offers, for the version that is evaluated", async () => {
    const server = make();
    expect(await used(server, { profileName: "strict" })).toEqual([4, "strict"]);
    expect(await used(server, { profileName: "strict" }, pinned)).toEqual([5, "strict of 2"]);
  });

  it("gets the same refusal for every other name, whether or not there is such a profile", async () => {
    const metrics = fakeMetrics();
    const names = ["internal", "nope", "", "STRICT", "strict ", "constructor", null, 1, true, {}, ["strict"]];
    for (const server of [make({ metrics }), make({ metrics, callerProfiles: undefined })]) {
      for (const profileName of names) {
        expect(await ask(server, { profileName }), JSON.stringify(profileName)).toMatchObject({
          status: 403,
          text: '{"error":"This server does not offer a profile of that name","code":"PROFILE_NOT_OFFERED"}',
        });
      }
    }
    expect(metrics.events).toEqual([]);
  });

  it("works where callers may send no profile of their own", async () => {
    const server = make({ profileOverride: false });
    expect(await used(server, { profileName: "strict" })).toEqual([4, "strict"]);
    expect(await ask(server, { profileName: "strict", profile: {} })).toMatchObject({
      status: 403,
      body: { code: "PROFILE_OVERRIDE_FORBIDDEN" },
    });
  });

  it("together with a profile is refused where that would replace the named one", async () => {
    const reply = await ask(make(), { profileName: "strict", profile: { rate: 7 } });
    expect({ status: reply.status, code: reply.body.code }).toEqual({ status: 400, code: "BAD_REQUEST" });
  });

  it("together with a profile is merged with it under merge", async () => {
    const server = make({ profileOverride: "merge" });
    expect(await used(server, { profileName: "strict", profile: { rate: 7 } })).toEqual([7, "strict"]);
  });
});

describe("profileOverride", () => {
  it("replaces the host's profile by default", async () => {
    for (const server of [make(), make({ profileOverride: "replace" })]) {
      expect(await used(server, { profile: { rate: 7 } })).toEqual([7, "none"]);
    }
  });

  it("merges into the host's profile for the call: the default, the version's, or what profileResolver returned", async () => {
    const server = make({ profileOverride: "merge" });
    expect(await used(server, { profile: { rate: 7 } })).toEqual([7, "standard"]);
    expect(await used(server, { profile: { rate: 7 } }, pinned)).toEqual([7, "standard of 2"]);
    expect(await used(server, { profile: { label: null } })).toEqual([2, "none"]);
    expect(await used(server, { profile: {} })).toEqual([2, "standard"]);
    const resolving = make({
      profileOverride: "merge",
      profileResolver: async () => ({ rate: 8, label: "tenant" }),
    });
    expect(await used(resolving, { profile: { rate: 7 } })).toEqual([7, "tenant"]);
    expect(await used(resolving)).toEqual([8, "tenant"]);
    // The next call does not see it.
    expect(await used(server)).toEqual([2, "standard"]);
  });

  it("merge: what breaks the schema is the caller's mistake", async () => {
    const server = make({ profileOverride: "merge" });
    for (const profile of [{ rate: "x" }, { rate: 101 }, null, 1, []]) {
      const reply = await ask(server, { profile });
      expect({ replyStatus: reply.status, bodyStatus: reply.body.status }, JSON.stringify(profile)).toEqual({
        replyStatus: 400,
        bodyStatus: "INVALID_PROFILE",
      });
    }
  });

  it("refuses a profile with false", async () => {
    expect(await ask(make({ profileOverride: false }), { profile: {} })).toMatchObject({
      status: 403,
      body: { code: "PROFILE_OVERRIDE_FORBIDDEN" },
    });
  });
});

it("reports everything that is wrong with decisions, versions, profiles, shadow and names at once", () => {
  expect(() =>
    make({
      decisions: [quote1, quote2, quote2],
      versions: { quote: { default: "9" } },
      profiles: JSON.parse('{"quote":{"rate":"x"},"nope":{}}'),
      callerProfiles: { quote: ["absent"] },
      shadow: { quote: { version: "8" } },
      ...JSON.parse('{"profileOverride":true}'),
    }),
  ).toThrow(
    expect.objectContaining({
      code: "INVALID_OPTIONS",
      problems: expect.arrayContaining(
        [
          "/decisions/2",
          "/versions/quote/default",
          "/profiles/quote/rate",
          "/profiles/nope",
          "/callerProfiles/quote",
          "/shadow/quote/version",
          "/profileOverride",
        ].map((path) => expect.objectContaining({ path })),
      ),
    }),
  );
});
