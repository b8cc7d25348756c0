import type { HookContext, Identity, RequestView } from "@decern/core";
import { afterEach, describe, expect, it } from "vitest";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { fakeMetrics, fakeOpenAPI } from "./support/fake-features.js";
import { input, quote, quote1, quote2 } from "./support/quotes.js";
import { RawClient } from "./support/raw-client.js";
import { recordingLogger } from "./support/recording-logger.js";

const decisions = [quote1, quote2];
const versions = { quote: { default: "1.0.0" } };
const authenticate = apiKeys({ keys: { "web-shop": ["w1", "w2"], "call-centre": "c1" } });

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function make(options: Partial<ServerOptions<typeof decisions>> = {}): DecisionServer {
  const server = createServer({ decisions, versions, logger: false, authenticate, ...options });
  open.push(server);
  return server;
}

function ask(server: DecisionServer, key = "w1", url = "/decisions/quote") {
  const headers = { "x-api-key": key, "x-tenant": "north" };
  return server.handler.inject({ method: "POST", url, headers, payload: { input } });
}

/** What somebody was told of a request. */
const read = (view: RequestView | undefined) =>
  view && {
    method: view.method,
    path: view.path,
    tenant: view.headers["x-tenant"],
    ip: view.ip,
    identity: view.identity,
  };

it("tells hooks, observers, rules, profileResolver and select who calls, and with which request", async () => {
  const told: Record<string, unknown> = {};
  const keep = (who: string, call: { caller?: string | undefined; request?: RequestView | undefined }) => {
    told[who] = { caller: call.caller, request: read(call.request) };
  };
  const server = make({
    hooks: {
      beforeEvaluate: (context) => keep("beforeEvaluate", context),
      afterEvaluate: (context) => keep("afterEvaluate", context),
    },
    observers: [{ onEvaluated: ({ context }) => keep("observer", context) }],
    profileResolver: (call) => keep("profileResolver", call),
    versions: {
      quote: {
        default: "1.0.0",
        select: (call) => {
          keep("select", call);
          return "2.0.0";
        },
      },
    },
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const reply = await fetch(`${server.handler.listeningOrigin}/decisions/quote?x=/1`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "w2", "x-tenant": "north" },
    body: JSON.stringify({ input }),
  });
  expect(await reply.json()).toMatchObject({ status: "OK", data: { caller: "web-shop", by: "2.0.0" } });
  const request = {
    method: "POST",
    path: "/decisions/quote",
    tenant: "north",
    ip: "127.0.0.1",
    identity: { caller: "web-shop" },
  };
  const expected = { caller: "web-shop", request };
  expect(told).toEqual({
    select: expected,
    profileResolver: expected,
    beforeEvaluate: expected,
    observer: expected,
    afterEvaluate: expected,
  });
});

it("tells onError who calls, when a rule, a hook, select or profileResolver fails", async () => {
  const fail = () => {
    throw new Error("broken");
  };
  const cases: Partial<ServerOptions<typeof decisions>>[] = [
    { decisions: [quote("1.0.0", true), quote2] },
    { hooks: { beforeEvaluate: fail } },
    { profileResolver: fail },
    { versions: { quote: { default: "1.0.0", select: fail } } },
  ];
  for (const options of cases) {
    const told: (string | undefined)[] = [];
    const onError = ({ caller }: HookContext) => void told.push(caller);
    const server = make({ ...options, hooks: { ...options.hooks, onError } });
    expect((await ask(server, "c1")).statusCode).toBe(500);
    expect(told).toEqual(["call-centre"]);
  }
});

it("tells of a request, and of no caller, where nobody is asked who calls", async () => {
  const told: unknown[] = [];
  for (const options of [{ authenticate: undefined }, { authenticate: () => true }]) {
    const server = make({
      ...options,
      hooks: {
        beforeEvaluate: (context) => void told.push("caller" in context, context.request?.identity),
      },
    });
    expect((await ask(server)).json().data.caller).toBeNull();
  }
  expect(told).toEqual([false, undefined, false, undefined]);
});

it("fails for a caller with half a character in the name, whom no record could name", async () => {
  const server = make({ authenticate: () => ({ caller: "ad\ud800" }) });
  for (const url of ["/decisions/quote", "/decisions/quote/versions/2.0.0"]) {
    const reply = await ask(server, "w1", url);
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 500,
      code: "INTERNAL_ERROR",
    });
  }
});

it("does not let a hook change who calls", async () => {
  const server = make({ hooks: { beforeEvaluate: (context) => ({ ...context, caller: "somebody-else" }) } });
  expect((await ask(server)).json().data.caller).toBe("web-shop");
});

it("never admits a request without the caller that was checked: what a copy would lose is a logged fault", async () => {
  // As an instance of a class: TypeScript does not take one for an identity.
  const user = Object.create({
    get caller() {
      return "ada";
    },
  });
  const logger = recordingLogger();
  const told: unknown[] = [];
  const profileResolver = (call: unknown) => void told.push(call);
  const server = make({ logger, profileResolver, authenticate: () => user });
  for (const url of ["/decisions/quote", "/decisions/quote/batch", "/docs/decisions/quote"]) {
    const reply = await ask(server, "w1", url);
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 500,
      code: "INTERNAL_ERROR",
    });
  }
  expect(told).toEqual([]);
  expect(logger.entries).toHaveLength(3);
  expect(String(Reflect.get(logger.entries[0]?.details ?? {}, "err"))).toMatch(/caller .*plain object/);
});

it("keeps what hooks write from the host's own object, and from other requests", async () => {
  const user = { caller: "ada", roles: ["reader"] };
  const seen: unknown[] = [];
  const server = make({
    authenticate: () => user,
    hooks: {
      beforeEvaluate: ({ request }) => {
        const roles = request?.identity?.["roles"];
        seen.push([...(Array.isArray(roles) ? roles : [])]);
        if (Array.isArray(roles)) expect(() => roles.push("admin")).toThrow(TypeError);
      },
    },
  });
  for (const _ of [1, 2]) expect((await ask(server)).statusCode).toBe(200);
  expect({ seen, roles: user.roles }).toEqual({ seen: [["reader"], ["reader"]], roles: ["reader"] });
});

it("refuses some callers in beforeEvaluate, which evaluates nothing for them", async () => {
  const rules = { "web-shop": ["quote"] };
  const mayCall = new Map(Object.entries(rules));
  const metrics = fakeMetrics();
  const server = make({
    metrics,
    hooks: {
      beforeEvaluate: ({ caller = "", decisionId }) => {
        if (mayCall.get(caller)?.includes(decisionId) === true) return;
        throw Object.assign(new Error("Not for you"), { statusCode: 403, code: "CALLER_NOT_ALLOWED" });
      },
    },
  });
  for (const url of ["/decisions/quote", "/decisions/quote/versions/2.0.0"]) {
    expect((await ask(server, "w1", url)).statusCode).toBe(200);
    const refused = await ask(server, "c1", url);
    expect({ statusCode: refused.statusCode, json: refused.json() }).toEqual({
      statusCode: 403,
      json: { error: "Not for you", code: "CALLER_NOT_ALLOWED" },
    });
  }
  expect(metrics.events.map(({ status }) => status)).toEqual(["OK", "REFUSED", "OK", "REFUSED"]);
});

describe("the view of a request", () => {
  const views: RequestView[] = [];
  const hooks = { beforeEvaluate: ({ request }: HookContext) => void (request && views.push(request)) };
  const viewed = (): RequestView => {
    const [view] = views.splice(0);
    if (view === undefined) throw new Error("There was no request");
    return view;
  };

  it("cannot be written to, and neither can its headers and its identity", async () => {
    const server = make({ hooks });
    await ask(server);
    const view = viewed();
    for (const target of [view, view.headers, view.identity ?? {}]) {
      expect(Object.isFrozen(target)).toBe(true);
      for (const name of ["path", "caller", "x-tenant", "other"]) {
        expect(Reflect.set(target, name, "changed"), name).toBe(false);
      }
    }
    expect(read(view)).toMatchObject({ path: "/decisions/quote", tenant: "north" });
  });

  it("copies the headers once, when they are first read", async () => {
    const server = make({ hooks });
    server.handler.addHook("onResponse", async (request) => {
      request.headers["x-tenant"] = "changed";
    });
    await ask(server);
    const late = viewed().headers;
    expect(late["x-tenant"]).toBe("changed");
    const early: RequestView["headers"][] = [];
    const other = make({
      hooks: { beforeEvaluate: ({ request }) => void early.push(request?.headers ?? {}) },
    });
    other.handler.addHook("onResponse", async (request) => {
      request.headers["x-tenant"] = "changed";
    });
    await ask(other);
    expect(early[0]?.["x-tenant"]).toBe("north");
    const again = make({ hooks });
    await ask(again);
    const view = viewed();
    expect(view.headers).toBe(view.headers);
  });

  it.each([
    ["/decisions/quote?a=/b", "/decisions/quote"],
    ["/decisions/quote/versions/2%2E0.0", "/decisions/quote/versions/2.0.0"],
    ["http://other.example/decisions/quote?a=b", "/decisions/quote"],
  ])("has the path of %s", async (target, path) => {
    const server = make({ hooks, authenticate: undefined });
    await server.handler.listen({ port: 0, host: "127.0.0.1" });
    const client = await RawClient.open(Number(new URL(server.handler.listeningOrigin).port));
    const body = JSON.stringify({ input });
    const headers = `Host: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    expect(await client.send(`POST ${target} HTTP/1.1\r\n${headers}\r\n\r\n${body}`).ended).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(viewed().path).toBe(path);
  });

  it("has the address of the caller as trustProxy sees it", async () => {
    for (const [trustProxy, ip] of [
      [true, "203.0.113.7"],
      [false, "127.0.0.1"],
    ] as const) {
      const server = make({ hooks, authenticate: undefined, trustProxy });
      await server.handler.inject({
        method: "POST",
        url: "/decisions/quote",
        headers: { "x-forwarded-for": "203.0.113.7" },
        payload: { input },
      });
      expect(viewed().ip).toBe(ip);
    }
  });
});

it("reveals who calls in no reply and no log entry", async () => {
  const identity: Identity = { caller: "caller-name", secret: "identity-secret" };
  const logger = recordingLogger();
  const server = make({
    decisions: [quote("1.0.0", true), quote2],
    authenticate: async () => identity,
    logger,
    metrics: fakeMetrics(),
    openapi: fakeOpenAPI(),
  });
  const replies = await Promise.all([
    ask(server),
    ask(server, "", "/decisions/nope"),
    ask(server, "", "/decisions/quote/versions/9"),
    ...["/", "/decisions", "/decisions/quote/versions", "/decisions/quote/schema", "/metrics"].map((url) =>
      server.handler.inject(url),
    ),
    ...["/openapi.json", "/docs/catalogue.json", "/docs/decisions/quote", "/health/ready"].map((url) =>
      server.handler.inject(url),
    ),
  ]);
  expect(logger.entries).toHaveLength(1);
  for (const { body, headers } of replies) {
    expect(`${body}${JSON.stringify(headers)}`).not.toMatch(/caller-name|identity-secret/);
  }
  const logged = logger.entries.map(({ details, message }) => [
    { ...details },
    String(Reflect.get(details, "err")),
    message,
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/caller-name|identity-secret/);
});

it("keeps the identity as authenticate returned it, whatever the host does to its object later", async () => {
  const identity = { caller: "first" };
  const server = make({
    authenticate: () => identity,
    hooks: {
      beforeEvaluate: async ({ request }) => {
        identity.caller = "second";
        await Promise.resolve();
        expect(request?.identity).toEqual({ caller: "first" });
      },
    },
  });
  expect((await ask(server)).json().data.caller).toBe("first");
});
