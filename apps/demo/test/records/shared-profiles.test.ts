import { defineDecision } from "@decern/core";
import { replay } from "@decern/replay";
import { apiKeys, createServer } from "@decern/server";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { journal } from "./journal.js";
import { silent } from "./recorded-hosts.js";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const decide = (least: number) =>
  defineDecision({
    id: "entry",
    version: "1",
    inputSchema: z.object({ name: z.string() }),
    outputSchema: z.object({ allowed: z.boolean() }),
    profileSchema: z.object({ guests: z.array(z.string()) }),
    rules: [
      {
        id: "guest",
        when: ({ name }, { guests }) => guests.includes(name) && guests.length >= least,
        emit: () => ({ allowed: true }),
      },
      { id: "other", when: () => true, emit: () => ({ allowed: false }) },
    ],
  });

const names = Array.from({ length: 300 }, (_, index) => `guest ${index}`);
const headers = { "x-api-key": "key" };

/** What was recorded of a list whose inputs share a profile that a caller sent. */
async function recorded(profile: object, logOptions: Parameters<typeof journal>[0] = {}) {
  const { log, onDisk, remove } = journal(logOptions);
  endings.push(remove);
  const server = createServer({
    decisions: [decide(1)],
    profiles: { entry: { guests: [] } },
    log,
    records: true,
    authenticate: apiKeys({ keys: { auditor: ["key"] } }),
    logger: silent,
  });
  endings.push(() => server.close());
  const post = async (url: string, payload: object) =>
    (await server.handler.inject({ method: "POST", url, headers, payload })).json();
  const inputs = ["guest 7", "nobody", "guest 299"].map((name) => ({ name }));
  const { results } = await post("/decisions/entry/batch", { inputs, profile });
  await log.flush();
  const get = async (url: string) => (await server.handler.inject({ url, headers })).json();
  return { log, records: onDisk(), results, post, get };
}

describe("a long profile that a list shares", () => {
  it("is recorded once, and found by the hash of each record", async () => {
    const { log, records, results } = await recorded({ guests: names });
    expect(results.map((one: { data: unknown }) => one.data)).toEqual([
      { allowed: true },
      { allowed: false },
      { allowed: true },
    ]);
    expect(records).toHaveLength(3);
    for (const { payload, masked, profileHash } of records) {
      expect(payload).not.toHaveProperty("profile");
      expect(masked).toEqual(["/profile"]);
      expect(await log.profile(profileHash)).toEqual({ guests: names });
    }
    expect(await log.verify()).toMatchObject({ ok: true, records: 3 });
  });

  it("is the caller's on the page of the records, and there evaluates the same again", async () => {
    const { records, post, get } = await recorded({ guests: names });
    const path = `/records/data/${records[0]?.recordId}`;
    const { record, profile } = await get(path);
    expect(record).toMatchObject({ masked: [], payload: { profile: { guests: names } } });
    expect(profile).toEqual({ guests: names });
    const again = await post(`${path}/evaluate`, {});
    expect(again).toMatchObject({ unchanged: true, envelope: { data: { allowed: true } } });
    expect(again).not.toHaveProperty("inconclusive");
  });

  it("is what a replay evaluates with, and not the host's", async () => {
    const { log } = await recorded({ guests: names });
    const profiles = { entry: { guests: ["nobody"] } };
    const same = await replay(log, { decisions: [decide(1)], profiles });
    expect(same.counts).toMatchObject({ unchanged: 3, changed: 0, inconclusive: 0 });
    const stricter = await replay(log, { decisions: [decide(301)], profiles });
    expect(stricter.counts).toMatchObject({ unchanged: 1, changed: 2, inconclusive: 0 });
  });

  it.each([
    ["it is short", { guests: ["guest 7"] }, {}],
    ["a mask has to look through it", { guests: names }, { mask: { entry: ["/input/name"] } }],
    [
      "an erasure has to remove it",
      { guests: names },
      { subject: { key: "k".repeat(32), of: { entry: () => "somebody" } } },
    ],
  ])("is in each record if %s", async (_, profile, logOptions) => {
    const { log, records } = await recorded(profile, logOptions);
    expect(records).toHaveLength(3);
    for (const { payload, profileHash } of records) {
      expect(payload).toHaveProperty("profile.guests");
      expect(await log.profile(profileHash)).toBeUndefined();
    }
  });
});

it("a masked value is not in a profile that a list shares either", async () => {
  const { records } = await recorded({ guests: names }, { mask: { entry: ["/input/name"] } });
  expect(JSON.stringify(records[0])).not.toContain('"guest 7"');
  expect(JSON.stringify(records[1])).toContain('"guest 7"');
});
