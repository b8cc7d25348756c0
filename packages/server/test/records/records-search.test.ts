import type { DecisionRecord } from "@decern/core";
import { afterEach, describe, expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
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
  return { log, lines, server, get };
}

describe("a search", () => {
  it("returns summaries, newest first, without what was asked and answered", async () => {
    const failed = record(2, {
      status: "ERROR",
      payload: { salt: "s", input: {}, error: { code: "EVALUATION_FAILED", message: "Evaluation failed" } },
    });
    const { get } = make([record(1), failed, record(3, { payload: null })]);
    const { reply, body } = await get("/records/data");
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

  it("passes every condition on", async () => {
    const { get, log } = make([]);
    const query = new URLSearchParams({
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
      limit: "7",
    });
    expect((await get(`/records/data?${query}`)).reply.statusCode).toBe(200);
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
    const { get, lines } = make([record(1)]);
    await get("/records/data?subject=Ada%20Lovelace&decision=quote");
    await get(`/records/data/${record(1).recordId}`);
    expect(lines).toMatchObject([
      {
        message: "Decision records were looked up",
        details: { caller: "auditor", query: { decision: "quote", subject: "not logged" } },
      },
      { details: { caller: "auditor", recordId: record(1).recordId } },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Ada|amount/);
  });

  it.each([
    ["from=yesterday", "'from' must be a day"],
    ["to=2026-02-30", "'to' must be a day"],
    ["from=2026-03-03T25:00:00Z", "'from' must be a day"],
    ["from=2026-03-03T10:00:00", "'from' must be a day"],
    ["from=2026-03-04&to=2026-03-03", "'from' must be before 'to'"],
    ["status=FINE", "'status' must be one of OK, NO_MATCH, INVALID_INPUT, INVALID_PROFILE, ERROR"],
    ["limit=0", "'limit' must be a whole number from 1 to 200"],
    ["limit=201", "'limit' must be a whole number from 1 to 200"],
    ["limit=1e2", "'limit' must be a whole number from 1 to 200"],
    ["before=x", "'before' must be the 'next' of another page"],
    ["decision=", "'decision' is empty"],
    ["decision=a&decision=b", "'decision' is there more than once"],
    ["desicion=a", "unknown query parameter 'desicion'"],
  ])("is refused for %s", async (query, message) => {
    const { get, log } = make([]);
    const { reply, body } = await get(`/records/data?${query}`);
    expect([reply.statusCode, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(body.error).toContain(message);
    expect(log.queries).toEqual([]);
  });

  it("has pages of 50, and of as many as it asks for up to 200", async () => {
    const { get } = make(Array.from({ length: 300 }, (_, index) => record(index)));
    expect((await get("/records/data")).body.records).toHaveLength(50);
    expect((await get("/records/data?limit=200")).body.records).toHaveLength(200);
  });

  it.each([
    ["at instants of their own", (index: number) => index],
    ["in the same millisecond", () => 5],
    ["in two milliseconds", (index: number) => (index < 60 ? 5 : 6)],
  ])("reaches every record once, page by page: %s", async (_when, instantOf) => {
    const stored = Array.from({ length: 100 }, (_, index) =>
      record(index, { recordedAt: record(instantOf(index)).recordedAt }),
    );
    const { get } = make(stored);
    const seen: string[] = [];
    let before: string | null = "";
    let pages = 0;
    while (before !== null) {
      const more: string = before === "" ? "" : `&before=${encodeURIComponent(before)}`;
      const { body } = await get(`/records/data?limit=7${more}`);
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
  const paths = ["/records/data", `/records/data/${record(1).recordId}`];

  it("answers nobody who is not let in, and looks nothing up for them", async () => {
    const { server, log, lines } = make([record(1)]);
    for (const url of paths) expect((await server.handler.inject(url)).statusCode).toBe(401);
    const url = `${paths[1]}/evaluate`;
    expect((await server.handler.inject({ method: "POST", url, payload: {} })).statusCode).toBe(401);
    expect([log.queries, lines]).toEqual([[], []]);
  });

  it("is not there unless it was asked for", async () => {
    const { get } = make([record(1)], { records: false });
    for (const url of ["/records", ...paths]) expect((await get(url)).reply.statusCode).toBe(404);
  });

  it.each([
    ["without a log", { log: undefined }],
    ["without authentication", { authenticate: undefined }],
  ])("cannot be served %s", (_without, options) => {
    expect(() => make([], options)).toThrow("/records: requires log and authenticate");
  });

  it("has no record of that id", async () => {
    const { get } = make([record(1)]);
    for (const id of ["nope", record(2).recordId, "%F0%9F%8E%89"]) {
      const { reply, body } = await get(`/records/data/${id}`);
      expect([reply.statusCode, body, reply.headers["cache-control"]]).toEqual([
        404,
        { error: "Record not found", code: "RECORD_NOT_FOUND" },
        "no-store",
      ]);
    }
  });
});
