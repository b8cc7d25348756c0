import { DecernError } from "@decern/core";
import { expect, it } from "vitest";
import { type ApiKeysOptions, type Authenticate, apiKeys, createServer } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";
import { fakeMetrics } from "./support/fake-features.js";
import { recordingLogger } from "./support/recording-logger.js";

const evaluation = { method: "POST", url: "/decisions/outcomes", payload: { input: { end: "ok" } } } as const;

function make(authenticate: Authenticate, more: object = {}) {
  return createServer({ decisions, profiles, docs: false, logger: false, authenticate, ...more }).handler;
}

async function statusOf(authenticate: Authenticate, headers: Record<string, string> = {}, more: object = {}) {
  return (await make(authenticate, more).inject({ ...evaluation, headers })).statusCode;
}

it("lets a request in by returning true, or who calls", async () => {
  expect(await statusOf(() => true)).toBe(200);
  expect(await statusOf(async () => ({ caller: "web-shop", tenant: "t" }))).toBe(200);
});

it.each([undefined, null, "true", 1, {}, [], { caller: "" }, { caller: 1 }, { user: "u" }])(
  "refuses a request by returning %j",
  async (answer) => {
    const metrics = fakeMetrics();
    const untyped = (async () => answer) as Authenticate;
    expect(await statusOf(untyped, {}, { metrics })).toBe(401);
    expect(metrics.events).toEqual([]);
  },
);

it.each<[string, Authenticate, number, string]>([
  ["false", () => false, 401, "UNAUTHORIZED"],
  ["a promise of false", async () => false, 401, "UNAUTHORIZED"],
  [
    "a DecernError",
    () => {
      throw new DecernError("ACCESS_DENIED");
    },
    403,
    "ACCESS_DENIED",
  ],
  [
    "a 4xx",
    async () => {
      throw Object.assign(new Error("Slow down"), { statusCode: 429 });
    },
    429,
    "BAD_REQUEST",
  ],
])("refuses on %s, and evaluates nothing", async (_what, authenticate, status, code) => {
  const metrics = fakeMetrics();
  const reply = await make(authenticate, { metrics }).inject(evaluation);
  expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({ statusCode: status, code });
  expect(metrics.events).toEqual([]);
});

it("refuses the request when it fails, and masks and logs the error", async () => {
  const logger = recordingLogger();
  const authenticate = async () => {
    throw new Error("directory is gone");
  };
  const reply = await make(authenticate, { logger }).inject(evaluation);
  expect({ statusCode: reply.statusCode, json: reply.json() }).toEqual({
    statusCode: 500,
    json: { error: "Internal server error", code: "INTERNAL_ERROR" },
  });
  expect(logger.entries).toHaveLength(1);
});

it("refuses with 503 when it never settles", async () => {
  expect(await statusOf(() => new Promise(() => {}), {}, { hookTimeoutMs: 20 })).toBe(503);
});

it("guards the host's own routes too, except open ones", async () => {
  const handler = make(() => false);
  handler.get("/guarded", async () => "secret");
  handler.get("/opened", { config: { decern: { open: true } } }, async () => "public");
  expect((await handler.inject("/guarded")).statusCode).toBe(401);
  expect((await handler.inject("/opened")).body).toBe("public");
});

it("lets preflights through", async () => {
  const headers = { origin: "https://a.example", "access-control-request-method": "POST" };
  const reply = await make(() => false).inject({ method: "OPTIONS", url: "/decisions/outcomes", headers });
  expect(reply.statusCode).toBe(204);
});

it.each([
  [undefined, 401],
  [false, 401],
  [true, 200],
])("with publicMetrics %s replies to /metrics with %i", async (publicMetrics, status) => {
  const reply = await make(() => false, { metrics: fakeMetrics(), publicMetrics }).inject("/metrics");
  expect(reply.statusCode).toBe(status);
});

it("supports several API keys, and describes the scheme in a challenge", async () => {
  const keys = apiKeys({ keys: ["one", "two"] });
  expect(await statusOf(keys, { "x-api-key": "one" })).toBe(200);
  expect(await statusOf(keys, { "x-api-key": "two" })).toBe(200);
  for (const wrong of ["", "on", "one ", "three", "ONE"]) {
    expect(await statusOf(keys, { "x-api-key": wrong.trimEnd() === "one" ? "oneone" : wrong })).toBe(401);
  }
  const reply = await make(keys).inject(evaluation);
  expect({ statusCode: reply.statusCode, wwwAuthenticate: reply.headers["www-authenticate"] }).toEqual({
    statusCode: 401,
    wwwAuthenticate: 'ApiKey realm="decern", header="x-api-key"',
  });
});

it("rotates API keys without a restart", async () => {
  let current = ["old"];
  const handler = make(apiKeys({ keys: async () => current, header: "X-Key" }));
  const ask = async (key: string) =>
    (await handler.inject({ ...evaluation, headers: { "x-key": key } })).statusCode;
  expect({ old: await ask("old"), new: await ask("new") }).toEqual({ old: 200, new: 401 });
  current = ["new"];
  expect({ old: await ask("old"), new: await ask("new") }).toEqual({ old: 401, new: 200 });
});

it("refuses everyone when the rotated list of keys is empty", async () => {
  expect(await statusOf(apiKeys({ keys: () => [] }), { "x-api-key": "a" })).toBe(500);
  expect(await statusOf(apiKeys({ keys: () => [""] }))).toBe(500);
});

it.each<ApiKeysOptions>([
  { keys: [] },
  { keys: [""] },
  { keys: ["a"], header: "a b" },
  { keys: {} },
  { keys: { "": "k" } },
  { keys: { "web-shop": "" } },
  { keys: { "web-shop": ["k1", "k2"], "call-centre": "k2" } },
])("refuses %j", (options) => {
  expect(() => apiKeys(options)).toThrow(DecernError);
});
