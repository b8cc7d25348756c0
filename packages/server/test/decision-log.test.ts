import { afterEach, describe, expect, it } from "vitest";
import { MemoryLog } from "../../../test/support/memory-log.js";
import { createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { fakeOpenAPI } from "./support/fake-features.js";
import { quote1, quote2 } from "./support/quotes.js";

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function make(options: Partial<ServerOptions>): DecisionServer {
  const versions = { quote: { default: "1.0.0", deprecated: { "2.0.0": { since: "2026-01-01" } } } };
  const server = createServer({ decisions: [quote1, quote2], versions, logger: false, ...options });
  open.push(server);
  return server;
}

function ask({ handler }: DecisionServer, path = "/decisions/quote", headers = {}) {
  return handler.inject({ method: "POST", url: path, headers, payload: { input: { amount: 1 } } });
}

describe("a server with a log", () => {
  it("sends the id of the record, on every route that evaluates, besides a version's own headers", async () => {
    const log = new MemoryLog();
    const server = make({ log });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const sent = [
      await ask(server, "/decisions/quote", { traceparent, "x-request-id": "mine" }),
      await ask(server, "/decisions/quote/versions/2.0.0"),
      await ask(server, "/docs/decisions/quote"),
    ];
    expect(sent.map(({ headers }) => [headers["decern-record-id"], headers["deprecation"]])).toEqual([
      ["record-1", undefined],
      ["record-2", "@1767225600"],
      ["record-3", undefined],
    ]);
    expect(log.kept).toMatchObject([
      { traceparent, requestId: "mine", selectedBy: "default", decision: { version: "1.0.0" } },
      { traceparent: undefined, selectedBy: "path", decision: { version: "2.0.0" } },
      { selectedBy: "default" },
    ]);
  });

  it("records nothing for what is no evaluation", async () => {
    const log = new MemoryLog();
    const server = make({ log });
    for (const reply of [
      await ask(server, "/decisions/nope"),
      await ask(server, "/decisions/quote/versions/9"),
      await server.handler.inject({ method: "POST", url: "/decisions/quote", payload: {} }),
      await server.handler.inject("/decisions"),
    ]) {
      expect(reply.headers["decern-record-id"]).toBeUndefined();
    }
    expect({ admissions: log.admissions, kept: log.kept }).toEqual({ admissions: 0, kept: [] });
  });

  it("is neither ready nor evaluates while nothing can be recorded, and serves everything else", async () => {
    const log = new MemoryLog();
    const server = make({ log });
    log.isAvailable = false;
    for (const reply of [await ask(server), await server.handler.inject("/health/ready")]) {
      expect({
        statusCode: reply.statusCode,
        json: reply.json(),
        retryAfter: reply.headers["retry-after"],
      }).toEqual({
        statusCode: 503,
        json: { error: "The decision cannot be recorded", code: "RECORD_UNAVAILABLE" },
        retryAfter: "1",
      });
      expect(reply.headers["decern-record-id"]).toBeUndefined();
    }
    for (const url of ["/", "/health/live", "/decisions", "/decisions/quote/schema"])
      expect({ url, statusCode: (await server.handler.inject(url)).statusCode }).toEqual({
        url,
        statusCode: 200,
      });
    log.isAvailable = true;
    expect((await server.handler.inject("/health/ready")).statusCode).toBe(200);
    expect((await ask(server)).statusCode).toBe(200);
  });

  it("lets browsers read the id of the record; without a log, nothing is added", async () => {
    const exposed = async (options: Partial<ServerOptions>) =>
      (await make({ versions: { quote: { default: "1.0.0" } }, ...options }).handler.inject("/decisions"))
        .headers["access-control-expose-headers"];
    expect(await exposed({ log: new MemoryLog() })).toBe("x-request-id, etag, retry-after, decern-record-id");
    expect(await exposed({})).toBe("x-request-id, etag, retry-after");
  });

  it("flushes it when it closes, and leaves it open for its owner", async () => {
    const log = new MemoryLog();
    const server = make({ log });
    await ask(server);
    expect(log.flushed).toBe(0);
    await server.close();
    expect(log.flushed).toBe(1);
  });

  it("names the log if its records cannot be written in time", async () => {
    const log = new MemoryLog();
    log.flush = () => new Promise(() => {});
    const server = createServer({ decisions: [quote1], logger: false, log, closeTimeoutMs: 20 });
    await expect(server.close()).rejects.toThrow(
      "Server did not close cleanly: the decision log's store did not take the records in memory within closeTimeoutMs (20 ms)",
    );
  });

  it("says in the OpenAPI document that it records", async () => {
    const [recording, silent] = [fakeOpenAPI(), fakeOpenAPI()];
    await make({ log: new MemoryLog(), openapi: recording }).handler.inject("/openapi.json");
    await make({ openapi: silent }).handler.inject("/openapi.json");
    expect({ recording: recording.built, silent: silent.built }).toMatchObject({
      recording: [{ records: true }],
      silent: [{ records: false }],
    });
  });
});
