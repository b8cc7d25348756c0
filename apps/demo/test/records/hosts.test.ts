import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { DecernError } from "@decern/core";
import { apiKeys, createServer, type ServerOptions } from "@decern/server";
import { watchProfiles } from "@decern/watch";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { journal } from "./journal.js";
import { type AskedHost, access, hosts, score, silent } from "./recorded-hosts.js";

const uuid7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function kept(...given: Parameters<typeof journal>) {
  const made = journal(...given);
  endings.push(made.remove);
  return made;
}

describe.each(Object.entries(hosts))("%s", (name, start) => {
  const mount = async (...given: Parameters<typeof kept>) => {
    const made = kept(...given);
    const host: AskedHost = await start(made.log);
    endings.push(() => host.close());
    return { ...made, host };
  };
  // Their error handling replies, without the headers of an evaluation.
  const isGuard = /guard|hook/.test(name);

  it("has a record for each of its answers, under the id that the caller got", async () => {
    const { host, log, onDisk } = await mount();
    const answers = [];
    for (const role of ["admin", "guest", "nobody", "broken"]) answers.push(await host.ask(role));
    await log.flush();
    const records = onDisk();
    expect(records.map(({ status, matchedRule }) => [status, matchedRule])).toEqual([
      ["OK", "known"],
      ["OK", "known"],
      ["NO_MATCH", undefined],
      ["ERROR", undefined],
    ]);
    for (const [index, { recordId }] of answers.entries()) {
      if (isGuard && index === 3) continue;
      expect(recordId).toMatch(uuid7);
      expect(recordId).toBe(records[index]?.recordId);
    }
    expect(records[0]).toMatchObject({
      decision: { id: "access", version: "1.0.0" },
      selectedBy: "default",
      payload: {
        input: { role: "admin" },
        result: { status: "OK", data: { allowed: true, points: 6 } },
        used: [{ id: "score", version: "1.0.0", result: { data: { points: 6 } } }],
      },
    });
    expect(records[3]?.payload?.error).toEqual({ code: "EVALUATION_FAILED", message: "Evaluation failed" });
    expect((await log.verify()).ok).toBe(true);
  });

  it("answers with a record that is on disk already, where that was asked for", async () => {
    const { host, onDisk } = await mount({ durable: "reply" });
    const answers = await Promise.all(["admin", "guest", "nobody"].map((role) => host.ask(role)));
    const ids = answers.map(({ recordId }) => recordId);
    expect(onDisk().map(({ recordId }) => recordId)).toEqual(expect.arrayContaining(ids));
    expect(new Set(ids).size).toBe(3);
  });

  it.each(["batch", "reply"] as const)("names no record that is dropped: durable %s", async (durable) => {
    const { folder, log, onDisk } = kept({ durable, onFull: "drop", maxPendingBytes: 2000 });
    rmdirSync(folder);
    // No folder can be made there.
    writeFileSync(folder, "");
    const host = await start(log);
    endings.push(() => host.close());
    const answers = [];
    for (let count = 0; count < 10; count += 1) answers.push(await host.ask("admin"));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.at(-1)?.recordId).toBeNull();
    // Every id that was given away is that of a record which still waits.
    rmSync(folder);
    mkdirSync(folder);
    await log.flush();
    const ids = answers.flatMap(({ recordId }) => recordId ?? []);
    expect(onDisk().map(({ recordId }) => recordId)).toEqual(ids);
    expect(ids.length).toBeGreaterThan(0);
    await log.close();
    expect((await host.ask("admin")).recordId).toBeNull();
  });

  it("does not answer without a record: 503", async () => {
    const { host, log, onDisk } = await mount();
    await host.ask("admin");
    await log.close();
    const { status, recordId, body } = await host.ask("admin");
    expect({ status, recordId }).toEqual({ status: 503, recordId: null });
    expect(body).not.toContain("allowed");
    expect(body).not.toContain("let");
    expect(onDisk()).toHaveLength(1);
  });

  it("does not answer, and lets nobody in, when the record that it waits for is not written: 503", async () => {
    const log = new MemoryLog();
    const host = await start(log);
    endings.push(() => host.close());
    expect((await host.ask("admin")).status).toBe(200);
    log.durable = () => Promise.reject(new DecernError("RECORD_UNAVAILABLE"));
    const { status, recordId, body } = await host.ask("admin");
    expect({ status, recordId }).toEqual({ status: 503, recordId: null });
    expect(body).not.toContain("allowed");
    expect(body).not.toContain("let");
    expect(log.kept).toHaveLength(2);
  });
});

/** A server with a log, and what it has recorded. */
function serving(options: Partial<ServerOptions>, logOptions: Parameters<typeof journal>[0] = {}) {
  const { log, onDisk } = kept(logOptions);
  const server = createServer({ decisions: [access("1.0.0")], logger: silent, log, ...options });
  endings.push(() => server.close());
  const ask = (path = "/decisions/access", payload: object = { input: { role: "admin" } }, headers = {}) =>
    server.handler.inject({ method: "POST", url: path, payload, headers });
  const records = async () => {
    await log.flush();
    return onDisk();
  };
  return { server, log, ask, records };
}

describe("the server", () => {
  it("records no request that was never evaluated: 401, 404, 405, 413, 415 and no input", async () => {
    const { server, ask, records } = serving({
      authenticate: apiKeys({ keys: { shop: ["key"] } }),
      bodyLimit: 100,
      profileOverride: false,
    });
    const key = { "x-api-key": "key" };
    const statuses = [
      await ask(),
      await ask("/decisions/nope", {}, key),
      await ask("/decisions/access/versions/9.9.9", {}, key),
      await server.handler.inject({ method: "PUT", url: "/decisions/access", headers: key }),
      await ask("/decisions/access", { input: "x".repeat(200) }, key),
      await server.handler.inject({ method: "POST", url: "/decisions/access", headers: key, payload: "x" }),
      await ask("/decisions/access", {}, key),
      await ask("/decisions/access", { input: {}, profile: {} }, key),
    ].map(({ statusCode, headers }) => [statusCode, headers["decern-record-id"]]);
    expect(statuses.map(([status]) => status)).toEqual([401, 404, 404, 405, 413, 415, 400, 403]);
    expect(statuses.every(([, id]) => id === undefined)).toBe(true);
    expect(await records()).toEqual([]);
    expect((await ask("/decisions/access", { input: {} }, key)).statusCode).toBe(400);
    expect(await records()).toMatchObject([{ status: "INVALID_INPUT", caller: "shop" }]);
  });

  it("records what failed in the host's own hands, as an error", async () => {
    const versions = [access("1.0.0"), access("2.0.0")];
    const profiles = watchProfiles({ load: () => new Promise(() => {}), timeoutMs: 60_000 });
    const loading = serving({ profiles });
    const selecting = serving({
      decisions: versions,
      versions: {
        access: {
          default: "1.0.0",
          select: () => {
            throw new Error("secret of the host");
          },
        },
      },
    });
    const resolving = serving({
      profileResolver: () => {
        throw new Error("secret of the host");
      },
    });
    const hooked = serving({
      hooks: {
        beforeEvaluate: () => {
          throw Object.assign(new Error("Not you"), { statusCode: 403, code: "NOT_YOU" });
        },
      },
    });
    for (const [{ ask, records }, status, code, message, selectedBy] of [
      [loading, 503, "PROFILES_NOT_LOADED", "Profiles could not be loaded", "default"],
      [selecting, 500, "INTERNAL_ERROR", "Internal server error", "select"],
      [resolving, 500, "INTERNAL_ERROR", "Internal server error", "default"],
      [hooked, 403, "NOT_YOU", "Not you", "default"],
    ] as const) {
      const reply = await ask();
      expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({ statusCode: status, code });
      const written = await records();
      expect(written).toMatchObject([
        { status: "ERROR", selectedBy, recordId: reply.headers["decern-record-id"] },
      ]);
      expect(written[0]?.payload?.error).toEqual({ code, message });
      expect(JSON.stringify(written)).not.toContain("secret");
    }
  });

  it("records a shadow, too, under the same request id and instant", async () => {
    const { server, log, records } = serving({
      decisions: [access("1.0.0"), access("2.0.0")],
      versions: { access: { default: "1.0.0" } },
      shadow: { access: { version: "2.0.0", sample: 1 } },
    });
    const address = await server.listen(0);
    const reply = await fetch(`${address}/decisions/access`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"input":{"role":"admin"}}',
    });
    await reply.text();
    let written = await records();
    // It is evaluated once the reply has been written, which is after the caller has read it.
    for (let turn = 0; written.length < 2 && turn < 1000; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      written = await records();
    }
    const [main, shadow] = written;
    expect(written).toMatchObject([
      { decision: { version: "1.0.0" }, selectedBy: "default" },
      { decision: { version: "2.0.0" }, selectedBy: "shadow", status: "OK", sampleRate: 1 },
    ]);
    expect({ requestId: shadow?.requestId, recordedAt: shadow?.recordedAt }).toEqual({
      requestId: main?.requestId,
      recordedAt: main?.recordedAt,
    });
    expect(main?.recordId).toBe(reply.headers.get("decern-record-id"));
    expect((await log.verify()).ok).toBe(true);
  });

  it("has written every record when it has closed, and leaves the log to its owner", async () => {
    const { log, onDisk } = kept({ intervalMs: 600_000 });
    const one = createServer({ decisions: [access("1.0.0")], logger: silent, log });
    const other = createServer({ decisions: [score], logger: silent, log });
    const ask = (server: typeof one, id: string) =>
      server.handler.inject({
        method: "POST",
        url: `/decisions/${id}`,
        payload: { input: { role: "guest" } },
      });
    await ask(one, "access");
    expect(onDisk()).toEqual([]);
    await one.close();
    expect(onDisk()).toHaveLength(1);
    await ask(other, "score");
    await other.close();
    expect(onDisk().map(({ decision }) => decision.id)).toEqual(["access", "score"]);
  });

  it("keeps a caller's profile in the record, and a host's once", async () => {
    const { ask, records, log } = serving({ profiles: { access: { limit: 7 } } });
    await ask();
    await ask("/decisions/access", { input: { role: "admin" }, profile: { limit: 9 } });
    const [hosts_, callers] = await records();
    expect(hosts_?.payload).not.toHaveProperty("profile");
    expect(await log.profile(hosts_?.profileHash ?? "")).toEqual({ limit: 7 });
    expect(callers?.payload?.profile).toEqual({ limit: 9 });
  });
});
