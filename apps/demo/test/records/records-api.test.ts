import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineDecision } from "@decern/core";
import { apiKeys, createServer, type ServerOptions } from "@decern/server";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { nested } from "../../../../test/support/odd-calls.js";
import { journal } from "./journal.js";
import { access, score, silent } from "./recorded-hosts.js";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const one = access("1.0.0");
const two = access("2.0.0");
const headers = { "x-api-key": "key" };

const standard = {
  decisions: [one, two, score],
  versions: { access: { default: "1.0.0", retired: ["0.9.0"] } },
  profiles: {
    access: { limit: 7 },
    "access#strict": { limit: 1 },
    "access@2.0.0#mild": { limit: 50 },
    score: { bonus: 3 },
  },
};

/** A server whose records can be looked at. */
function serving(options: Partial<ServerOptions> = {}, logOptions: Parameters<typeof journal>[0] = {}) {
  const { folder, log, onDisk, remove } = journal(logOptions);
  endings.push(remove);
  const start = (more: Partial<ServerOptions> = options) => {
    const server = createServer({
      ...standard,
      log,
      records: true,
      authenticate: apiKeys({ keys: { auditor: ["key"] } }),
      logger: silent,
      ...more,
    });
    endings.push(() => server.close());
    const get = async (url: string) => {
      const reply = await server.handler.inject({ url, headers });
      return { status: reply.statusCode, body: reply.json() };
    };
    const post = async (url: string, payload?: object) => {
      const body = payload === undefined ? {} : { payload };
      const reply = await server.handler.inject({ method: "POST", url, headers, ...body });
      return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
    };
    return {
      get,
      post,
      /** Evaluates, and returns the id of the record once that can be found. */
      record: async (payload: object = { input: { role: "admin" } }, path = "/decisions/access") => {
        const reply = await post(path, payload);
        await log.flush();
        return { recordId: String(reply.headers["decern-record-id"]), envelope: reply.body };
      },
      search: async (conditions: object) => (await post("/records/search", conditions)).body,
      again: (recordId: string, payload?: object) => post(`/records/data/${recordId}/evaluate`, payload),
    };
  };
  return { folder, log, onDisk, start, ...start() };
}

/** Of a profile with one member, whose JSON is canonical. */
function hashOf(profile: object): string {
  return `sha256:${createHash("sha256").update(JSON.stringify(profile)).digest("hex")}`;
}

describe("a search of real records", () => {
  it("says that something cannot be read, where it is asked", async () => {
    const { folder, search, record } = serving();
    const { recordId } = await record();
    await record();
    const asked = { unreadable: true, limit: 1, decision: "access" };
    expect(await search(asked)).toMatchObject({ records: [{}], unreadable: false });
    expect(await search({})).not.toHaveProperty("unreadable");
    for (const name of readdirSync(folder).filter((one) => one.startsWith("1-"))) {
      const text = readFileSync(join(folder, name), "utf8");
      writeFileSync(join(folder, name), text.replace(`"recordId":"${recordId}"`, '"recordId":7'));
    }
    const { records, next, unreadable } = await search({ ...asked, limit: 50 });
    expect({ found: records.length, next, unreadable }).toEqual({ found: 1, next: null, unreadable: true });
  });

  it("finds them by what callers and auditors know", async () => {
    const { search, record } = serving();
    const { recordId } = await record();
    await record({ input: { role: "broken" } });
    await record({ input: { role: "nobody" } }, "/decisions/access/versions/2.0.0");
    const found = async (conditions: object) =>
      (await search(conditions)).records.map((each: { status: string }) => each.status);
    expect(await found({})).toHaveLength(3);
    expect(await found({ status: "ERROR" })).toEqual(["ERROR"]);
    expect(await found({ decision: "access", version: "2.0.0" })).toEqual(["NO_MATCH"]);
    expect(await found({ rule: "known", caller: "auditor" })).toEqual(["OK"]);
    expect(await found({ recordId })).toEqual(["OK"]);
    expect(await found({ recordId: "no-uuid" })).toEqual([]);
    expect(await found({ to: "2020-01-01" })).toEqual([]);
    expect(await found({ decision: "nothing" })).toEqual([]);
    const body = await search({ recordId });
    expect(body.records[0]).toMatchObject({ matchedRule: "known", hasPayload: true });
    expect(JSON.stringify(body)).not.toContain("admin");
  });

  it("lists what fits a line of the result, also where that is one object in another", async () => {
    const offer = defineDecision({
      id: "offer",
      version: "1.0.0",
      inputSchema: z.object({}),
      outputSchema: z.object({ Offer: z.object({ rate: z.number(), terms: z.array(z.string()) }) }),
      profileSchema: z.object({}),
      rules: [
        { id: "all", when: () => true, emit: () => ({ Offer: { rate: 4.5, terms: ["paid monthly"] } }) },
      ],
    });
    const { search, record } = serving({ decisions: [...standard.decisions, offer] });
    await record({ input: {} }, "/decisions/offer");
    expect((await search({ decision: "offer" })).records[0].output).toEqual({ rate: 4.5 });
    await record();
    expect((await search({ decision: "access" })).records[0].output).toHaveProperty("allowed");
  });

  it("goes through them page by page, newest first, though many are of one millisecond", async () => {
    const clock = { now: () => Date.parse("2026-03-03T12:00:00Z"), monotonic: () => 0 };
    const { search, record } = serving({ clock });
    const ids: string[] = [];
    for (let index = 0; index < 9; index += 1) ids.push((await record()).recordId);
    const seen: string[] = [];
    let next: string | null | undefined;
    while (next !== null) {
      const body = await search({ limit: 2, before: next });
      seen.push(...body.records.map((each: { recordId: string }) => each.recordId));
      next = body.next;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it("finds a person without storing them, and nobody where records name nobody", async () => {
    const of = (input: { readonly role: string }) => input.role;
    const { search, record } = serving({}, {
      subject: { key: "a key of sixteen bytes", of: { access: of } },
    } as Parameters<typeof journal>[0]);
    await record();
    await record({ input: { role: "guest" } });
    expect((await search({ subject: "guest" })).records).toHaveLength(1);
    const nobodys = serving();
    await nobodys.record();
    expect(await nobodys.search({ subject: "guest" })).toEqual({ records: [], next: null });
  });
});

describe("one record", () => {
  it("comes with an input that is nested as deeply as records are, and is evaluated again", async () => {
    const { get, record, again, log } = serving();
    const { recordId, envelope } = await record({ input: { role: nested(499) } });
    expect(envelope.status).toBe("INVALID_INPUT");
    const { status, body } = await get(`/records/data/${recordId}`);
    expect({ status, input: body.record.payload.input }).toEqual({
      status: 200,
      input: { role: nested(499) },
    });
    expect((await again(recordId)).body).toMatchObject({ envelope, unchanged: true });
    expect(await log.verify()).toMatchObject({ ok: true, records: 1 });
  });

  it("comes with its profile, the rules of its version and what it can be evaluated again with", async () => {
    const { get, record, onDisk } = serving();
    const { recordId } = await record();
    expect(await get(`/records/data/${recordId}`)).toEqual({
      status: 200,
      body: {
        record: onDisk()[0],
        profile: { limit: 7 },
        decision: {
          recorded: expect.objectContaining({
            ruleIds: ["broken", "known"],
            inputSchema: expect.any(Object),
          }),
          versions: [{ version: "1.0.0", default: true }, { version: "2.0.0" }],
          profileNames: { "1.0.0": ["strict"], "2.0.0": ["strict", "mild"] },
        },
      },
    });
    const own = await record({ input: { role: "admin" }, profile: { limit: 3 } });
    expect((await get(`/records/data/${own.recordId}`)).body.profile).toEqual({ limit: 3 });
  });

  it.each(["no-uuid", "01890000-0000-7000-8000-000000000000", "\0", "%"])("is 404 for %j", async (id) => {
    const { get, again, record } = serving();
    await record();
    const missing = { status: 404, body: { code: "RECORD_NOT_FOUND" } };
    expect(await get(`/records/data/${encodeURIComponent(id)}`)).toMatchObject(missing);
    expect(await again(encodeURIComponent(id))).toMatchObject(missing);
  });

  it("outlives its version, its decision and its payload", async () => {
    const options = { subject: { key: "a key of sixteen bytes", of: { access: () => "Ada" } } };
    const { start, record, log } = serving({}, options);
    const { recordId } = await record({ input: { role: "admin" }, profile: { limit: 3 } });
    const later = start({ ...standard, decisions: [two, score], versions: {}, profiles: {} });
    expect((await later.get(`/records/data/${recordId}`)).body.decision).toEqual({
      recorded: null,
      versions: [{ version: "2.0.0", default: true }],
      profileNames: {},
    });
    const much = start({ decisions: [score], versions: {}, profiles: {} });
    expect((await much.get(`/records/data/${recordId}`)).body.decision).toBeNull();
    expect(await much.again(recordId)).toMatchObject({ status: 404, body: { code: "DECISION_NOT_FOUND" } });
    expect(await log.erase({ subject: "Ada" })).toEqual({ records: 1 });
    const { body } = await later.get(`/records/data/${recordId}`);
    expect(body.record.payload).toBeNull();
    expect(body).not.toHaveProperty("profile");
    expect(await later.again(recordId, { version: "2.0.0" })).toMatchObject({
      status: 409,
      body: { code: "RECORD_INCOMPLETE" },
    });
  });
});

describe("a record that is evaluated again", () => {
  it("comes out as it was, under its own revision, at its own instant", async () => {
    const { again, record, onDisk, log } = serving();
    const { recordId, envelope } = await record();
    const { status, headers: sent, body } = await again(recordId);
    expect({ status, cacheControl: sent["cache-control"] }).toEqual({
      status: 200,
      cacheControl: "no-store",
    });
    expect(body).toEqual({
      envelope,
      used: onDisk()[0]?.payload?.used,
      revision: { version: "1.0.0", profileHash: onDisk()[0]?.profileHash },
      profile: { limit: 7 },
      unchanged: true,
    });
    expect(body.revision.profileHash).toBe(hashOf({ limit: 7 }));
    await log.flush();
    expect(onDisk()).toHaveLength(1);
  });

  it.each([
    ["another version", { version: "2.0.0" }, "2.0.0", { limit: 7 }],
    ["a named profile", { profileName: "strict" }, "1.0.0", { limit: 1 }],
    ["another version's named profile", { version: "2.0.0", profileName: "mild" }, "2.0.0", { limit: 50 }],
    ["a profile of its own", { profile: { limit: 12 } }, "1.0.0", { limit: 12 }],
    ["the host's profile of today", { hostProfile: true }, "1.0.0", { limit: 8 }],
  ])("takes %s", async (_what, payload, version, profile) => {
    const { start, record } = serving();
    const { recordId } = await record();
    const today = start({ ...standard, profiles: { ...standard.profiles, access: { limit: 8 } } });
    const { status, body } = await today.again(recordId, payload);
    expect(status).toBe(200);
    expect(body).toMatchObject({ revision: { version, profileHash: hashOf(profile) }, profile });
    expect(body.envelope.meta.decisionVersion).toBe(version);
    expect(body.unchanged).toBe(true);
  });

  it("says what changed: the output, the status or the fault", async () => {
    const { start, record } = serving();
    const { recordId } = await record();
    const { recordId: failed } = await record({ input: { role: "broken" } });
    const changed = start({ ...standard, profiles: { ...standard.profiles, score: { bonus: 4 } } });
    const { body } = await changed.again(recordId);
    expect({ unchanged: body.unchanged, points: body.envelope.data.points }).toEqual({
      unchanged: false,
      points: 9,
    });
    expect((await changed.again(recordId, { profile: { limit: "x" } })).body).toMatchObject({
      unchanged: false,
      envelope: { status: "INVALID_PROFILE" },
    });
    expect((await changed.again(failed)).body).toMatchObject({
      unchanged: true,
      error: { code: "EVALUATION_FAILED", message: "Evaluation failed" },
      used: [],
    });
  });

  it("runs no hook, and counts and records nothing", async () => {
    const calls: string[] = [];
    const { again, record, onDisk, log } = serving({
      hooks: { beforeEvaluate: () => void calls.push("hook") },
      observers: [{ onEvaluated: () => void calls.push("observer") }],
    });
    const { recordId } = await record();
    expect(calls).toEqual(["hook", "observer"]);
    await again(recordId);
    await log.flush();
    expect({ callsLength: calls.length, onDiskLength: onDisk().length }).toEqual({
      callsLength: 2,
      onDiskLength: 1,
    });
  });

  it("is inconclusive where something of it was masked", async () => {
    const { again, record } = serving({}, { mask: { access: ["/input/role"] } });
    const { recordId } = await record();
    const { status, body } = await again(recordId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ inconclusive: true, unchanged: false });
    const whole = serving({}, { mask: { access: ["/input"] } });
    const gone = await whole.record();
    expect(await whole.again(gone.recordId)).toMatchObject({
      status: 409,
      body: { code: "RECORD_INCOMPLETE" },
    });
  });

  it.each([
    [{ version: "9.9.9" }, 404, "VERSION_NOT_FOUND", "Version not found"],
    [{ version: "0.9.0" }, 410, "VERSION_RETIRED", "Version retired"],
    [{ version: 1 }, 400, "BAD_REQUEST", "'version' must be a string"],
    [{ profileName: "nope" }, 400, "BAD_REQUEST", "no profile of that name"],
    [{ profileName: "mild" }, 400, "BAD_REQUEST", "no profile of that name"],
    [{ profileName: 7 }, 400, "BAD_REQUEST", "'profileName' must be a string"],
    [{ hostProfile: false }, 400, "BAD_REQUEST", "'hostProfile' must be true"],
    [{ profile: {}, hostProfile: true }, 400, "BAD_REQUEST", "at most one of profile, hostProfile"],
    [[], 400, "BAD_REQUEST", "the body must be an object"],
  ])("is refused for %j", async (payload, status, code, message) => {
    const { again, record } = serving();
    const { recordId } = await record();
    const reply = await again(recordId, payload);
    expect(reply).toMatchObject({ status, body: { code } });
    expect(reply.body.error).toContain(message);
  });
});
