import type { DecisionRecord } from "@decern/core";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
import { countRecords } from "../../src/records/search.js";
import { quote1 } from "../support/quotes.js";

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const hash = `sha256:${"0".repeat(64)}`;

function record(number: number, more: Partial<DecisionRecord> = {}): DecisionRecord {
  return {
    recordVersion: 1,
    recordId: `01890000-0000-7000-8000-${String(number).padStart(12, "0")}`,
    recordedAt: new Date(Date.parse("2026-03-03T00:00:00Z") + number).toISOString(),
    requestId: `req-${number}`,
    decision: { id: "quote", version: "1.0.0" },
    profileHash: hash,
    selectedBy: "default",
    status: "OK",
    durationSeconds: 0,
    sampleRate: 1,
    masked: [],
    payload: { salt: "s", input: { amount: number } },
    payloadHash: hash,
    previousHash: null,
    hash,
    ...more,
  };
}

interface Line {
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function make(stored: readonly DecisionRecord[], options: Partial<ServerOptions> = {}) {
  const log = new MemoryLog();
  log.stored = stored;
  const lines: Line[] = [];
  const logger = {
    error: () => {},
    info: (details: Line["details"], message: string) => void lines.push({ details, message }),
  };
  const server = createServer({
    decisions: [quote1],
    log,
    records: true,
    authenticate: apiKeys({ keys: { auditor: ["key"] } }),
    logger,
    ...options,
  });
  open.push(server);
  const get = async (url: string) => {
    const reply = await server.handler.inject({ url, headers: { "x-api-key": "key" } });
    return { reply, body: reply.json() };
  };
  const search = async (payload?: object) => {
    const headers = { "x-api-key": "key" };
    const body = payload === undefined ? {} : { payload };
    const reply = await server.handler.inject({ method: "POST", url: "/records/search", headers, ...body });
    return { reply, body: reply.json() };
  };
  return { log, lines, server, get, search };
}

describe("a search", () => {
  it("returns summaries, newest first, without what was asked and answered", async () => {
    const failed = record(2, {
      status: "ERROR",
      payload: { salt: "s", input: {}, error: { code: "EVALUATION_FAILED", message: "Evaluation failed" } },
    });
    const { search } = make([record(1), failed, record(3, { payload: null })]);
    const { reply, body } = await search();
    expect(reply.headers["cache-control"]).toBe("no-store");
    const { payload: _one, ...first } = record(1);
    const { payload: _two, ...second } = failed;
    const { payload: _three, ...third } = record(3);
    expect(body).toEqual({
      records: [
        { ...third, hasPayload: false },
        { ...second, hasPayload: true, errorCode: "EVALUATION_FAILED" },
        { ...first, hasPayload: true },
      ],
      next: null,
    });
  });

  it("returns payloads where they are asked for, with the profiles of the host", async () => {
    const own = record(2, { payload: { salt: "s", input: {}, profile: { own: true } } });
    const { search, log, lines } = make([record(1), own, record(3, { payload: null })]);
    log.profiles.set(hash, { minimum: 5 });
    const { body } = await search({ payloads: true });
    expect(body.records.map(({ payload }: DecisionRecord) => payload)).toEqual([
      null,
      own.payload,
      record(1).payload,
    ]);
    expect(body).toMatchObject({ profiles: { [hash]: { minimum: 5 } }, next: null });
    expect(lines[0]?.details).toMatchObject({ query: { payloads: true } });
    expect((await search({ payloads: "yes" })).reply.statusCode).toBe(400);
  });

  it("counts what all pages have where that is asked for, to a limit", async () => {
    const { search, lines } = make([record(1), record(2, { status: "NO_MATCH" }), record(3)]);
    expect((await search({ limit: 1 })).body).not.toHaveProperty("total");
    const { body } = await search({ limit: 1, status: "OK", total: true });
    expect(body).toMatchObject({ records: [{ requestId: "req-3" }], total: { records: 2, isExact: true } });
    // It counts what the search finds, not what is left of it.
    const rest = await search({ limit: 1, status: "OK", total: true, before: body.next });
    expect(rest.body).toMatchObject({ next: null, total: { records: 2, isExact: true } });
    expect(lines[1]?.details).toMatchObject({ query: { total: true } });
    expect((await search({ total: 1 })).reply.statusCode).toBe(400);

    const few = make(Array.from({ length: 10_000 }, () => record(1)));
    expect((await few.search({ total: true })).body.total).toEqual({ records: 10_000, isExact: true });
    const many = make(Array.from({ length: 10_001 }, () => record(1)));
    expect((await many.search({ total: true })).body.total).toEqual({ records: 10_000, isExact: false });
  });

  it("counts for a while only, and says that there may be more", async () => {
    async function* stalling() {
      yield record(1);
      yield record(2);
    }
    const find = () => ({
      [Symbol.asyncIterator]() {
        const two = stalling();
        let stop = (): void => {};
        const stopped = new Promise<IteratorReturnResult<undefined>>((resolve) => {
          stop = () => resolve({ done: true, value: undefined });
        });
        return {
          next: async () => {
            const one = await two.next();
            return one.done === true ? stopped : one;
          },
          return: async () => {
            stop();
            return stopped;
          },
        };
      },
    });
    expect(await countRecords(find, {}, 1)).toEqual({ records: 2, isExact: false });
  });

  it("ends a page early where payloads are long, and misses none", async () => {
    const long = (number: number) => record(number, { payload: { salt: "s", input: "x".repeat(1_500_000) } });
    const { search } = make([1, 2, 3, 4, 5].map(long));
    const found: string[][] = [];
    let before: string | undefined;
    do {
      const { body } = await search({ payloads: true, before });
      found.push(body.records.map(({ requestId }: DecisionRecord) => requestId));
      before = body.next ?? undefined;
    } while (before !== undefined);
    expect(found).toEqual([["req-5", "req-4"], ["req-3", "req-2"], ["req-1"]]);
  });

  it("passes every condition on", async () => {
    const { search, log } = make([]);
    const query = {
      from: "2026-03-03",
      to: "2026-03-04T01:00:00+01:00",
      decision: "quote",
      version: "1.0.0",
      status: "NO_MATCH",
      rule: "r",
      requestId: "req",
      recordId: "rec",
      subject: "Ada Lovelace",
      caller: "shop",
      limit: 7,
    };
    expect((await search(query)).reply.statusCode).toBe(200);
    expect(log.queries).toEqual([
      {
        from: new Date("2026-03-03T00:00:00Z"),
        to: new Date("2026-03-04T00:00:00Z"),
        decision: "quote",
        version: "1.0.0",
        status: "NO_MATCH",
        rule: "r",
        requestId: "req",
        recordId: "rec",
        subject: "Ada Lovelace",
        caller: "shop",
        newestFirst: true,
        limit: 8,
      },
    ]);
  });

  it("is logged with who made it and what for, but not with the person that it is about", async () => {
    const { get, search, lines } = make([record(1)]);
    await search({ subject: "Ada Lovelace", decision: "quote" });
    await get(`/records/data/${record(1).recordId}`);
    // The page finds out in this way what a text is.
    await search({ recordId: "Ada Lovelace" });
    await search({ requestId: "Ada Lovelace", limit: 7 });
    expect(lines).toMatchObject([
      {
        message: "Decision records were looked up",
        details: { caller: "auditor", query: { decision: "quote", subject: "not logged" } },
      },
      { details: { caller: "auditor", recordId: record(1).recordId } },
      { details: { caller: "auditor", query: { recordId: "not logged" } } },
      { details: { caller: "auditor", query: { requestId: "not logged", limit: 7 } } },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Ada|amount/);
  });

  it.each([
    [{ from: "yesterday" }, "'from' must be a day"],
    [{ to: "2026-02-30" }, "'to' must be a day"],
    [{ from: "2026-03-03T25:00:00Z" }, "'from' must be a day"],
    [{ from: "2026-03-03T10:00:00" }, "'from' must be a day"],
    [{ from: 1_772_496_000_000 }, "'from' must be a string"],
    [{ from: "2026-03-04", to: "2026-03-03" }, "'from' must be before 'to'"],
    [{ status: "FINE" }, "'status' must be one of OK, NO_MATCH, INVALID_INPUT, INVALID_PROFILE, ERROR"],
    [{ limit: 0 }, "'limit' must be a whole number from 1 to 200"],
    [{ limit: 201 }, "'limit' must be a whole number from 1 to 200"],
    [{ limit: 1.5 }, "'limit' must be a whole number from 1 to 200"],
    [{ limit: "7" }, "'limit' must be a whole number from 1 to 200"],
    [{ before: "x" }, "'before' must be the 'next' of another page"],
    [{ before: "+275760-09-13T00:00:00.000Z~x" }, "'before' must be the 'next' of another page"],
    [{ decision: "" }, "'decision' is empty"],
    [{ decision: ["a", "b"] }, "'decision' must be a string"],
    [{ subject: null }, "'subject' must be a string"],
    [{ desicion: "a" }, "unknown field 'desicion'; known are decision, version"],
    [[], "the body must be an object"],
  ])("is refused for %j", async (payload, message) => {
    const { search, log, lines } = make([]);
    const { reply, body } = await search(payload);
    expect({ statusCode: reply.statusCode, code: body.code }).toEqual({
      statusCode: 400,
      code: "BAD_REQUEST",
    });
    expect(body.error).toContain(message);
    expect({ queries: log.queries, lines }).toEqual({ queries: [], lines: [] });
  });

  it("is told of a field that evaluating a record again does not know, too", async () => {
    const { server } = make([record(1)]);
    const evaluate = (payload: object) =>
      server.handler.inject({
        method: "POST",
        url: `/records/data/${record(1).recordId}/evaluate`,
        headers: { "x-api-key": "key" },
        payload,
      });
    const reply = await evaluate({ verison: "1.0.0", hostProfile: true });
    expect({ statusCode: reply.statusCode, error: reply.json().error }).toEqual({
      statusCode: 400,
      error: expect.stringContaining(
        "unknown field 'verison'; known are version, profile, profileName, hostProfile",
      ),
    });
    expect((await evaluate({ version: "1.0.0", hostProfile: true })).statusCode).toBe(200);
  });

  it("is told of a profile that is nested too deeply to evaluate a record again with", async () => {
    const { server } = make([record(1)]);
    const { statusCode, body } = await server.handler.inject({
      method: "POST",
      url: `/records/data/${record(1).recordId}/evaluate`,
      headers: { "x-api-key": "key", "content-type": "application/json" },
      payload: `{"profile":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    });
    expect({ statusCode, ...JSON.parse(body) }).toEqual({
      statusCode: 400,
      code: "BAD_REQUEST",
      error: "Bad request: 'profile' is nested too deeply",
    });
  });

  it("takes nothing from the URL, which proxies log", async () => {
    const { get, log, server } = make([record(1)]);
    const byUrl = await get("/records/search?subject=Ada");
    expect({ statusCode: byUrl.reply.statusCode, allow: byUrl.reply.headers.allow }).toEqual({
      statusCode: 405,
      allow: "POST",
    });
    const headers = { "x-api-key": "key" };
    const url = "/records/search?subject=Ada";
    await server.handler.inject({ method: "POST", url, headers, payload: { decision: "quote" } });
    expect(log.queries).toMatchObject([{ decision: "quote", subject: undefined }]);
  });

  it("has pages of 50, and of as many as it asks for up to 200", async () => {
    const { search } = make(Array.from({ length: 300 }, (_, index) => record(index)));
    expect((await search({})).body.records).toHaveLength(50);
    expect((await search({ limit: 200 })).body.records).toHaveLength(200);
  });

  it.each([
    ["at instants of their own", (index: number) => index],
    ["in the same millisecond", () => 5],
    ["in two milliseconds", (index: number) => (index < 60 ? 5 : 6)],
  ])("reaches every record once, page by page: %s", async (_when, instantOf) => {
    const stored = Array.from({ length: 100 }, (_, index) =>
      record(index, { recordedAt: record(instantOf(index)).recordedAt }),
    );
    const { search } = make(stored);
    const seen: string[] = [];
    let before: string | null | undefined;
    let pages = 0;
    while (before !== null) {
      const { body } = await search({ limit: 7, before });
      seen.push(...body.records.map(({ recordId }: DecisionRecord) => recordId));
      before = body.next;
      pages += 1;
    }
    expect(pages).toBe(15);
    expect(seen).toEqual(
      stored
        .toSorted((a, b) => a.recordedAt.localeCompare(b.recordedAt))
        .reverse()
        .map(({ recordId }) => recordId),
    );
  });
});

describe("/records", () => {
  const path = `/records/data/${record(1).recordId}`;
  const requests = [
    { method: "POST", url: "/records/search", payload: {} },
    { method: "GET", url: path },
    { method: "POST", url: `${path}/evaluate`, payload: {} },
  ] as const;

  it("answers nobody who is not let in, and looks nothing up for them", async () => {
    const { server, log, lines } = make([record(1)]);
    for (const request of requests) expect((await server.handler.inject(request)).statusCode).toBe(401);
    expect({ queries: log.queries, lines }).toEqual({ queries: [], lines: [] });
  });

  it("is not there unless it was asked for", async () => {
    const { server } = make([record(1)], { records: false });
    const headers = { "x-api-key": "key" };
    for (const request of [...requests, { method: "GET", url: "/records" } as const]) {
      expect((await server.handler.inject({ ...request, headers })).statusCode).toBe(404);
    }
  });

  it.each([
    ["without a log", { log: undefined }],
    ["without authentication", { authenticate: undefined }],
    ["to some, without authentication", { authenticate: undefined, records: () => true }],
  ])("cannot be served %s", (_without, options) => {
    expect(() => make([], options)).toThrow("/records: requires log and authenticate");
  });

  it("has no record of that id", async () => {
    const { get } = make([record(1)]);
    for (const id of ["nope", record(2).recordId, "%F0%9F%8E%89"]) {
      const { reply, body } = await get(`/records/data/${id}`);
      expect({ statusCode: reply.statusCode, body, cacheControl: reply.headers["cache-control"] }).toEqual({
        statusCode: 404,
        body: { error: "Record not found", code: "RECORD_NOT_FOUND" },
        cacheControl: "no-store",
      });
    }
  });
});

describe("searches at the same time", () => {
  /** A server whose log finds nothing until a test says so. */
  function slow() {
    const made = make([]);
    const under = { way: 0, ended: 0 };
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    made.log.find = () => ({
      [Symbol.asyncIterator]: () => {
        under.way += 1;
        const end = () => {
          under.ended += 1;
          return { done: true, value: undefined } as const;
        };
        let stop = (): void => {};
        const stopped = new Promise<void>((resolve) => {
          stop = resolve;
        });
        return {
          next: () => Promise.race([released, stopped]).then(end),
          return: async () => {
            stop();
            return { done: true, value: undefined };
          },
        };
      },
    });
    return { ...made, under, release };
  }

  it("are two; some more wait, and those beyond are told to come again", async () => {
    const { under, release, search, get, lines } = slow();
    const searches = Array.from({ length: 17 }, () => search());
    const one = get("/records/data/01890000-0000-7000-8000-000000000001");
    await expect.poll(() => lines.length).toBe(18);
    expect(under).toEqual({ way: 2, ended: 0 });
    for (const { reply, body } of [await search(), await get("/records/data/x")]) {
      expect({
        statusCode: reply.statusCode,
        code: body.code,
        retryAfter: reply.headers["retry-after"],
      }).toEqual({ statusCode: 503, code: "OVERLOADED", retryAfter: "1" });
    }
    release();
    for (const { reply } of await Promise.all(searches)) expect(reply.statusCode).toBe(200);
    expect((await one).reply.statusCode).toBe(404);
    expect(under).toEqual({ way: 18, ended: 18 });
    expect((await search()).reply.statusCode).toBe(200);
  });

  it("end when their clients leave, also while they wait", async () => {
    const { server, under, release, search, lines } = slow();
    await server.handler.listen({ port: 0, host: "127.0.0.1" });
    const address = server.handler.server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const leaving = new AbortController();
    const sent = Array.from({ length: 18 }, () =>
      fetch(`http://127.0.0.1:${port}/records/search`, {
        method: "POST",
        headers: { "x-api-key": "key" },
        signal: leaving.signal,
      }).catch(() => "left"),
    );
    await expect.poll(() => lines.length).toBe(18);
    expect(under).toEqual({ way: 2, ended: 0 });
    leaving.abort();
    expect(await Promise.all(sent)).toEqual(sent.map(() => "left"));
    await expect.poll(() => under).toEqual({ way: 2, ended: 2 });
    const next = search();
    await expect.poll(() => under.way).toBe(3);
    release();
    expect((await next).reply.statusCode).toBe(200);
  });
});
