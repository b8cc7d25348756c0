import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { describe, expect, it } from "vitest";
import { gate } from "../../../../test/suites/gate.js";
import { apiKeys, createServer } from "../../src/index.js";
import { metrics, openapi, probe } from "./fixtures.js";

const json = { "content-type": "application/json" };
const ask = (payload: string, headers: Record<string, string> = json): InjectOptions => ({
  method: "POST",
  url: "/decisions/probe",
  headers,
  payload,
});
const input = (how: string): string => JSON.stringify({ input: { case: how, secret: "s" } });

/** One request for each kind of reply, and the expected status. */
const requests: readonly (readonly [what: string, status: number, request: InjectOptions])[] = [
  ["the service's description", 200, { url: "/" }],
  ["liveness", 200, { url: "/health/live" }],
  ["the listing", 200, { url: "/decisions" }],
  ["the listing, for a client that has it", 304, { url: "/decisions", headers: { "if-none-match": "*" } }],
  ["a HEAD", 200, { method: "HEAD", url: "/decisions" }],
  ["a schema", 200, { url: "/decisions/probe/schema" }],
  ["an evaluation", 200, ask(input("matches"))],
  ["an invalid input", 400, ask('{"input":{}}')],
  ["no input", 400, ask("{}")],
  ["malformed JSON", 400, ask("{")],
  ["a malformed URL", 400, { url: "/decisions/%zz" }],
  ["a profile that is not accepted", 403, ask('{"input":{},"profile":{}}')],
  ["an unknown decision", 404, { url: "/decisions/nobody/schema" }],
  ["an unknown route", 404, { url: "/nowhere" }],
  ["another method", 405, { method: "DELETE", url: "/decisions" }],
  ["a body that is too large", 413, ask(JSON.stringify({ input: "x".repeat(1_100_000) }))],
  ["a part of a URL that is too long", 414, { url: `/decisions/${"x".repeat(2000)}/schema` }],
  ["no JSON", 415, ask("a=b", { "content-type": "text/plain" })],
  ["a fault", 500, ask(input("throws"))],
  ["a preflight", 204, { method: "OPTIONS", url: "/decisions/probe", headers: preflight() }],
  ["metrics", 200, { url: "/metrics" }],
  ["the OpenAPI document", 200, { url: "/openapi.json" }],
  ["the docs page", 200, { url: "/docs" }],
  ["the docs page with a slash", 308, { url: "/docs/" }],
  ["the data of the docs page", 200, { url: "/docs/catalogue.json" }],
  ["a file that the docs page does not have", 404, { url: "/docs/assets/none.js" }],
  ["Swagger UI", 200, { url: "/swagger/" }],
  ["a script of Swagger UI", 200, { url: "/swagger/static/swagger-ui-bundle.js" }],
  ["a file that Swagger UI does not have", 404, { url: "/swagger/static/none.js" }],
];

function preflight(): Record<string, string> {
  return { origin: "https://example.org", "access-control-request-method": "POST" };
}

function directives(reply: LightMyRequestResponse): ReadonlyMap<string, string> {
  const policy = String(reply.headers["content-security-policy"]);
  return new Map(
    policy.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(" ");
      return [name, values.join(" ")];
    }),
  );
}

function expectHardened(reply: LightMyRequestResponse): void {
  expect(reply.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
  });
  // What a cache may keep says so, and can be asked for again.
  if (reply.headers.etag === undefined) expect(reply.headers["cache-control"]).toBe("no-store");
  else expect(reply.headers["cache-control"]).toMatch(/^no-cache$|max-age/);
  const policy = directives(reply);
  expect(policy.get("default-src")).toBe("'none'");
  expect(policy.get("frame-ancestors")).toBe("'none'");
  expect(policy.get("script-src") ?? "'none'").toMatch(/^'(none|self)'$/);
  expect(reply.headers["x-request-id"]).toMatch(/^[\w.-]{1,128}$/);
  expect(reply.headers).not.toHaveProperty("x-powered-by");
  expect(reply.headers).not.toHaveProperty("server");
}

const options = { decisions: [probe], logger: false, profileOverride: false as const, metrics, openapi };

describe("headers", () => {
  it.each(requests)("of every reply restrict browsers: %s", async (_what, status, request) => {
    const { handler } = createServer(options);
    const reply = await handler.inject(request);
    expect(reply.statusCode).toBe(status);
    expectHardened(reply);
    await handler.close();
  });

  it("are present on the replies of authentication, overload and a stuck hook", async () => {
    const held = gate();
    const full = createServer({
      ...options,
      authenticate: apiKeys({ keys: ["k"] }),
      overload: { maxConcurrent: 1 },
      hookTimeoutMs: 600_000,
      hooks: { beforeEvaluate: () => held.opened },
    });
    const hasty = createServer({
      ...options,
      hookTimeoutMs: 20,
      hooks: { beforeEvaluate: () => new Promise(() => {}) },
    });
    const headers = { ...json, "x-api-key": "k" };
    const refused = await full.handler.inject("/decisions");
    // The first of two requests takes the only place, and keeps it until the second has its reply.
    const both = [1, 2].map(() => full.handler.inject(ask(input("matches"), headers)));
    const shed = await Promise.race(both);
    held.open();
    await Promise.all(both);
    const stuck = await hasty.handler.inject(ask(input("matches")));
    const replies = [refused, shed, stuck];
    expect(replies.map(({ statusCode, headers }) => [statusCode, headers["retry-after"]])).toEqual([
      [401, undefined],
      [503, "1"],
      [503, "1"],
    ]);
    expect(replies.map((reply) => reply.json().code)).toEqual(["UNAUTHORIZED", "OVERLOADED", "HOOK_TIMEOUT"]);
    for (const reply of replies) expectHardened(reply);
    await Promise.all([full.close(), hasty.close()]);
  });

  it("let other origins read replies without credentials, or not at all", async () => {
    const open = createServer({ decisions: [probe], logger: false });
    const origin = "https://example.org";
    const reply = await open.handler.inject({ url: "/decisions", headers: { origin } });
    expect(reply.headers["access-control-allow-origin"]).toBe("*");
    expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
    const closed = createServer({ decisions: [probe], logger: false, cors: false });
    for (const request of [
      { url: "/decisions", headers: { origin } },
      { method: "OPTIONS" as const, url: "/decisions/probe", headers: preflight() },
    ]) {
      const { headers } = await closed.handler.inject(request);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });
});

describe("Swagger UI", () => {
  it("runs its own files only", async () => {
    const { handler } = createServer(options);
    const reply = await handler.inject("/swagger/");
    const policy = directives(reply);
    expect(policy.get("script-src")).toBe("'self'");
    expect(policy.get("connect-src")).toBe("'self'");
    expect(policy.get("base-uri")).toBe("'none'");
    expect(policy.get("form-action")).toBe("'none'");
    expect(reply.body).toMatch(/<script/);
    expect(reply.body).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);
    expect(reply.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});
