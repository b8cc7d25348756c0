import { defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { watchProfiles } from "../../../../test/support/watch.js";
import { createServer } from "../../src/index.js";

const rate = defineDecision({
  id: "rate",
  version: "1.0.0",
  inputSchema: z.object({}),
  outputSchema: z.object({}),
  profileSchema: z.object({ base: z.number().default(1) }),
  rules: [{ id: "only", when: () => true, emit: () => ({}) }],
});

const first = defineDecision({
  id: "loan",
  version: "1.0.0",
  description: "The first",
  inputSchema: z.object({ old: z.string() }),
  outputSchema: z.object({}),
  profileSchema: z.object({ limit: z.number() }),
  rules: [{ id: "old", when: () => true, emit: () => ({}) }],
});

const second = defineDecision({
  id: "loan",
  version: "2.0.0+b",
  description: "The second",
  meta: { owner: "risk" },
  uses: [rate],
  inputSchema: z.object({ fresh: z.string() }),
  outputSchema: z.object({}),
  profileSchema: z.object({ limit: z.number() }),
  rules: [{ id: "new", when: () => true, emit: () => ({}) }],
});

const decisions = [first, second, rate] as const;
const deprecated = { since: "2026-01-31", sunset: new Date("2027-06-30T12:00:00Z"), link: "/news" };
const versions = {
  loan: { default: "2.0.0+b", deprecated: { "1.0.0": deprecated }, retired: ["0.9.0"] },
} as const;
const profiles = {
  "loan@1.0.0": { limit: 1 },
  "loan@2.0.0+b": { limit: 2 },
  "loan#strict": { limit: 0 },
  "loan@1.0.0#strict": { limit: -1 },
  "loan#internal": { limit: 9 },
};
const callerProfiles = { loan: ["strict"] };
const logger = false;

const dates = { since: "2026-01-31T00:00:00.000Z", sunset: "2027-06-30T12:00:00.000Z", link: "/news" };
const listed = [
  { version: "1.0.0", deprecated: dates },
  { version: "2.0.0+b", default: true },
];

describe("the docs page's data about versions", () => {
  const { handler } = createServer({ decisions, versions, profiles, callerProfiles, logger });
  const get = async (url: string) => (await handler.inject(url)).json();

  it("has one entry an id in the list, with its versions where there are several", async () => {
    expect((await get("/docs/catalogue.json")).decisions).toEqual([
      {
        id: "loan",
        version: "2.0.0+b",
        description: "The second",
        owner: "risk",
        ruleIds: ["new"],
        versions: listed,
      },
      { id: "rate", version: "1.0.0", ruleIds: ["only"] },
    ]);
  });

  it("describes the default version, and each version at its own path", async () => {
    const standard = await get("/docs/decisions/loan");
    expect(standard).toEqual({
      ...(await get("/decisions/loan/schema")),
      description: "The second",
      meta: { owner: "risk" },
      versions: listed,
      ruleIds: ["new"],
      uses: [{ id: "rate", version: "1.0.0" }],
      defaultProfile: { limit: 2 },
      namedProfiles: [{ name: "strict", profile: { limit: 0 } }],
    });
    expect(await get("/docs/decisions/loan/versions/2.0.0%2Bb")).toEqual(standard);
    expect(await get("/docs/decisions/loan/versions/1.0.0")).toEqual({
      ...(await get("/decisions/loan/versions/1.0.0/schema")),
      description: "The first",
      versions: listed,
      ruleIds: ["old"],
      uses: [],
      defaultProfile: { limit: 1 },
      namedProfiles: [{ name: "strict", profile: { limit: -1 } }],
    });
    expect(await get("/docs/decisions/rate")).toMatchObject({
      versions: [{ version: "1.0.0", default: true }],
      namedProfiles: [],
    });
  });

  it("never names a profile that callers may not choose", async () => {
    for (const url of [
      "/docs/catalogue.json",
      "/docs/decisions/loan",
      "/docs/decisions/loan/versions/1.0.0",
    ]) {
      expect((await handler.inject(url)).body).not.toContain("internal");
    }
  });

  it.each([
    ["/docs/decisions/loan/versions/9", 404, "VERSION_NOT_FOUND"],
    ["/docs/decisions/loan/versions/0.9.0", 410, "VERSION_RETIRED"],
    ["/docs/decisions/nobody/versions/1.0.0", 404, "DECISION_NOT_FOUND"],
  ])("replies to %s with %i %s", async (url, status, code) => {
    const reply = await handler.inject(url);
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({ statusCode: status, code });
  });

  it("tells where the host chooses the version, and where it merges profiles", async () => {
    const server = createServer({
      decisions,
      versions: { loan: { ...versions.loan, select: () => "1.0.0" } },
      profiles,
      profileOverride: "merge",
      logger,
    });
    const data = (await server.handler.inject("/docs/catalogue.json")).json();
    expect(data).toMatchObject({ profileOverride: true, profileMerge: true });
    expect(data.decisions[0]).toMatchObject({ id: "loan", version: "2.0.0+b", selects: true });
  });
});

describe("watched profiles on the docs page", () => {
  it("shows the profiles that are in use, each time, and none before they are loaded", async () => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let limit = 10;
    const load = async () => {
      await released;
      return { profiles: { ...profiles, "loan@1.0.0": { limit } } };
    };
    const server = createServer({
      decisions,
      versions,
      profiles: watchProfiles({ load, everyMs: 100, timeoutMs: 600_000 }),
      callerProfiles,
      logger,
    });
    const get = (url: string, headers = {}) => server.handler.inject({ url, headers });
    const shown = async (url: string) => (await get(url)).json().defaultProfile;
    const url = "/docs/decisions/loan/versions/1.0.0";
    const before = await get(url);
    expect(before.json()).toMatchObject({ ruleIds: ["old"], namedProfiles: [] });
    expect(before.json()).not.toHaveProperty("defaultProfile");
    release();
    await expect.poll(() => shown(url)).toEqual({ limit: 10 });
    const { etag } = (await get(url)).headers;
    limit = 20;
    await expect.poll(() => shown(url)).toEqual({ limit: 20 });
    expect((await get(url, { "if-none-match": etag })).statusCode).toBe(200);
    await server.close();
  });
});
