import { request as httpRequest } from "node:http";
import type { ServiceDescription } from "@decern/core";
import { describe, expect, it } from "vitest";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
import { metrics, openapi, post, probe, recordingLogger } from "./fixtures.js";

const open = ["/", "/health/live", "/health/ready"];
const guarded = [
  "/decisions",
  "/decisions/probe/schema",
  "/decisions/probe/endpoint-schema",
  "/decisions/nobody/schema",
  "/openapi.json",
  "/swagger/json",
  "/swagger/yaml",
  "/docs/catalogue.json",
  "/docs/fields.json",
  "/docs/decisions/probe",
  "/nowhere",
];

function secured(options: Partial<ServerOptions> = {}): DecisionServer {
  const base = {
    decisions: [probe],
    logger: false,
    metrics,
    openapi,
    authenticate: apiKeys({ keys: ["k"] }),
  };
  return createServer({ ...base, ...options });
}

async function statusOf(server: DecisionServer, url: string, key?: string): Promise<number> {
  const headers = key === undefined ? {} : { "x-api-key": key };
  return (await server.handler.inject({ url, headers })).statusCode;
}

describe("authentication", () => {
  it("guards everything except probes and pages without decision data", async () => {
    const server = secured();
    for (const url of guarded) {
      expect(await statusOf(server, url), url).toBe(401);
      expect(await statusOf(server, url, "k"), url).toBe(/nobody|nowhere/.test(url) ? 404 : 200);
      const head = await server.handler.inject({ method: "HEAD", url });
      expect(head.statusCode, `HEAD ${url}`).toBe(401);
    }
    for (const url of open) expect(await statusOf(server, url), url).toBe(200);
  });

  it("evaluates nothing and reads no body for callers that are refused", async () => {
    const contexts: unknown[] = [];
    const server = secured({ hooks: { beforeEvaluate: (context) => void contexts.push(context) } });
    const good = { input: { case: "matches", secret: "s" } };
    for (const body of [good, "{", '{"__proto__":{}}', { input: "x".repeat(1_100_000) }]) {
      const reply = await post(server, body);
      expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
        statusCode: 401,
        json: { error: "Authentication required", code: "UNAUTHORIZED" },
      });
      expect(reply.headers["www-authenticate"]).toBe('ApiKey realm="decern", header="x-api-key"');
    }
    expect(contexts).toEqual([]);
    expect((await post(server, good, { "x-api-key": "k" })).statusCode).toBe(200);
    expect(contexts).toHaveLength(1);
  });

  it("cannot be bypassed by other spellings of a path", async () => {
    const server = secured();
    for (const url of [
      "//decisions",
      "/./decisions",
      "/health/live/../../decisions",
      "/health/..%2fdecisions",
      "/%64ecisions",
      "/decisions?x=/health/live",
      "/decisions;/health/live",
      "/DECISIONS",
      "/decisions/",
      "/docs/%64ecisions/probe",
      "/swagger/static/..%2f..%2fdecisions",
    ]) {
      const reply = await server.handler.inject(url);
      expect([401, 404, 400], url).toContain(reply.statusCode);
      expect(reply.body, url).not.toContain("probe");
    }
  });

  it("guards a host's own routes too, even if added later, unless they are marked as open", async () => {
    const server = secured();
    server.handler.get("/mine", () => "mine");
    server.handler.get("/open", { config: { decern: { open: true } } }, () => "open");
    server.handler.register(async (scope) => void scope.get("/nested", () => "nested"));
    for (const url of ["/mine", "/nested"]) {
      expect(await statusOf(server, url), url).toBe(401);
      expect(await statusOf(server, url, "k"), url).toBe(200);
    }
    expect(await statusOf(server, "/open")).toBe(200);
  });

  it("requires a key for metrics, unless publicMetrics opens them", async () => {
    expect(await statusOf(secured({ publicMetrics: true }), "/metrics")).toBe(200);
    const closed = secured();
    expect(await statusOf(closed, "/metrics")).toBe(401);
    expect(await statusOf(closed, "/metrics", "wrong")).toBe(401);
    expect(await statusOf(closed, "/metrics", "k")).toBe(200);
    for (const url of open) expect(await statusOf(closed, url), url).toBe(200);
  });

  it.each([
    [
      "throws",
      500,
      () => {
        throw new Error("secret");
      },
    ],
    ["rejects", 500, () => Promise.reject(new Error("secret"))],
    [
      "throws a string",
      500,
      () => {
        throw "secret";
      },
    ],
    [
      "throws nothing",
      500,
      () => {
        throw undefined;
      },
    ],
    ["returns false", 401, () => false],
    ["resolves to false", 401, async () => false],
    ["never settles", 503, () => new Promise<boolean>(() => {})],
    [
      "throws a refusal",
      403,
      () => {
        throw Object.assign(new Error("Not you"), { statusCode: 403 });
      },
    ],
    [
      "throws a success status",
      500,
      () => {
        throw Object.assign(new Error("secret"), { statusCode: 200 });
      },
    ],
  ])("fails closed when authenticate %s", async (_how, status, authenticate) => {
    const logger = recordingLogger();
    const evaluated: unknown[] = [];
    const server = secured({
      authenticate,
      logger,
      hookTimeoutMs: 30,
      observers: [{ onEvaluated: (event) => evaluated.push(event) }],
    });
    const reply = await post(server, { input: { case: "matches", secret: "s" } });
    expect(reply.statusCode).toBe(status);
    expect(reply.body).not.toContain("secret");
    expect(Object.keys(reply.json()).sort()).toEqual(["code", "error"]);
    expect(evaluated).toEqual([]);
    expect(logger.lines).toHaveLength(status >= 500 ? 1 : 0);
  });
});

describe("apiKeys", () => {
  it("accepts several keys, and nothing that merely resembles one", async () => {
    const server = secured({ authenticate: apiKeys({ keys: ["old-key", "new-key"] }) });
    for (const key of ["old-key", "new-key"]) expect(await statusOf(server, "/decisions", key)).toBe(200);
    for (const key of ["", "old", "old-key2", "OLD-KEY", "old-key, new-key", "undefined", "null"]) {
      expect(await statusOf(server, "/decisions", key), key).toBe(401);
    }
    const bearer = await server.handler.inject({
      url: "/decisions?x-api-key=old-key",
      headers: { authorization: "Bearer old-key", cookie: "x-api-key=old-key" },
    });
    expect(bearer.statusCode).toBe(401);
  });

  it("refuses a request that sends the header twice", async () => {
    const server = secured();
    const address = new URL(await server.handler.listen({ port: 0, host: "127.0.0.1" }));
    const ask = (headers: Record<string, string | string[]>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        httpRequest(new URL("/decisions", address), { headers, agent: false }, (reply) => {
          reply.resume().on("end", () => resolve(reply.statusCode));
        })
          .on("error", reject)
          .end();
      });
    expect(await ask({ "x-api-key": "k" })).toBe(200);
    expect(await ask({ "x-api-key": ["k", "k"] })).toBe(401);
    expect(await ask({ "x-api-key": ["wrong", "k"] })).toBe(401);
    await server.close();
  });

  it.each([
    ["at once", (keys: () => readonly string[]) => keys],
    ["later", (keys: () => readonly string[]) => async () => keys()],
  ])("rotates without a restart when a function returns the keys %s", async (_when, make) => {
    let keys = ["one"];
    const server = secured({ authenticate: apiKeys({ keys: make(() => keys) }) });
    expect(await statusOf(server, "/decisions", "one")).toBe(200);
    keys = ["one", "two"];
    expect(await statusOf(server, "/decisions", "one")).toBe(200);
    expect(await statusOf(server, "/decisions", "two")).toBe(200);
    keys = ["two"];
    expect(await statusOf(server, "/decisions", "one")).toBe(401);
    expect(await statusOf(server, "/decisions", "two")).toBe(200);
  });

  it("copies a list: changing it afterwards has no effect", async () => {
    const keys = ["one"];
    const server = secured({ authenticate: apiKeys({ keys }) });
    keys.push("two");
    expect(await statusOf(server, "/decisions", "two")).toBe(401);
  });

  it.each([
    ["no keys", []],
    ["an empty key, which would match a missing one", ["good", ""]],
    ["a key that is not a string", ["good", undefined]],
    ["no list", "good"],
  ])("refuses %s: a list at start, a function at every request", async (_what, wrong) => {
    const keys = JSON.parse(JSON.stringify(wrong)) as string[];
    expect(() => apiKeys({ keys })).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
    const logger = recordingLogger();
    const server = secured({ logger, authenticate: apiKeys({ keys: () => keys }) });
    for (const key of [undefined, "", "good"]) expect(await statusOf(server, "/decisions", key)).toBe(500);
    expect(JSON.stringify(logger.lines)).not.toContain("good");
  });

  it("supports another header", async () => {
    const server = secured({ authenticate: apiKeys({ keys: ["k"], header: "X-Decern-Key" }) });
    expect(await statusOf(server, "/decisions", "k")).toBe(401);
    const reply = await server.handler.inject({ url: "/decisions", headers: { "x-decern-key": "k" } });
    expect(reply.statusCode).toBe(200);
    expect(() => apiKeys({ keys: ["k"], header: "no name" })).toThrow(/must be a valid header name/);
  });

  it("is described in the OpenAPI document", async () => {
    const described = async (options: Partial<ServerOptions>): Promise<ServiceDescription> => {
      const reply = await secured(options).handler.inject({
        url: "/openapi.json",
        headers: { "x-api-key": "k", "x-mine": "k" },
      });
      return reply.json()["x-service"];
    };
    const header = { name: "apiKey", scheme: { type: "apiKey", in: "header", name: "x-mine" } };
    const authenticate = apiKeys({ keys: ["k"], header: "X-Mine" });
    expect(await described({ authenticate, publicMetrics: true })).toMatchObject({
      security: header,
      publicMetrics: true,
    });
    expect(await described({ authenticate: undefined })).not.toHaveProperty("security");
  });
});
