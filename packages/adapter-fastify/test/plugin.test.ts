import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyReply } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { afterEach, describe, expect, it } from "vitest";
import { gate, turn } from "../../../test/suites/gate.js";
import { access, loan } from "../../../test/suites/loan-and-access.js";
import { recording } from "../../../test/suites/recording.js";
import { watchProfiles } from "../../../test/support/watch.js";
import { decisionPlugin } from "../src/index.js";

const decisions = [loan, access] as const;
const open: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});
function host(): FastifyInstance {
  const app = Fastify();
  open.push(app);
  return app;
}
const post = (app: FastifyInstance, url: string, body: object = { score: 700 }) =>
  app.inject({ method: "POST", url, body });

const prefixes: readonly (readonly [string | undefined, string])[] = [
  [undefined, ""],
  ["", ""],
  ["x", "/x"],
  ["/x", "/x"],
  ["/x/", "/x"],
  ["/x/y.z", "/x/y.z"],
];
const wrapped = (): typeof decisionPlugin => {
  // `fastify-plugin` marks the function that it is given, so each test has its own.
  const plugin: FastifyPluginAsync<Parameters<typeof decisionPlugin>[1]> = (app, options) =>
    decisionPlugin(app, options);
  return fastifyPlugin(plugin) as typeof decisionPlugin;
};

describe("decisionPlugin", () => {
  it("leaves a hook's error to the host, even if its code is one of the body's", async () => {
    const app = host();
    app.setErrorHandler((error, _request, reply) => reply.code(502).send(error));
    app.addHook("onRequest", async () => {
      throw Object.assign(new Error("from the identity provider"), { code: "INVALID_JSON" });
    });
    await app.register(decisionPlugin, { decisions });
    expect((await post(app, "/loan")).statusCode).toBe(502);
  });

  for (const [name, make] of [
    ["plain", () => decisionPlugin],
    ["wrapped by fastify-plugin", wrapped],
  ] as const) {
    it.each(prefixes)(`${name}: serves at <prefix>/<id> for the prefix %j, once`, async (prefix, path) => {
      const app = host();
      await app.register(make(), { decisions, ...(prefix === undefined ? {} : { prefix }) });
      expect((await post(app, `${path}/loan`)).json()).toMatchObject({ status: "OK" });
      expect((await post(app, `${path}/access.v1~beta`, { role: "x" })).json()).toMatchObject({
        status: "OK",
      });
      expect((await post(app, `${path}${path}/loan`)).statusCode).toBe(path === "" ? 200 : 404);
      if (path !== "") expect((await post(app, "/loan")).statusCode).toBe(404);
    });

    it.each(["x", "/y/", "x/x"])(`${name}: nested below /x with the prefix %j`, async (prefix) => {
      const app = host();
      await app.register(async (inner) => void (await inner.register(make(), { decisions, prefix })), {
        prefix: "/x/",
      });
      const path = `/x/${prefix.replaceAll(/^\/|\/$/g, "")}/loan`;
      expect((await post(app, path)).json()).toMatchObject({ status: "OK" });
      expect((await post(app, `/${prefix}/loan`)).statusCode).toBe(404);
    });

    it(`${name}: twice in one application, each with its own profiles`, async () => {
      const app = host();
      const strict = { loan: { minScore: 999 } };
      await app.register(make(), { decisions, prefix: "a" });
      await app.register(make(), { decisions, prefix: "b", profiles: strict });
      expect((await post(app, "/a/loan")).json().meta.matchedRule).toBe("standard");
      expect((await post(app, "/b/loan")).json().meta.matchedRule).toBe("too-low");
    });

    it(`${name}: leaves the host's other routes as they were`, async () => {
      const app = host();
      await app.register(make(), { decisions, prefix: "d" });
      app.post("/own", async (request) => ({ body: request.body, decision: request.decision }));
      app.get("/fails", async () => Promise.reject(new Error("the host's")));
      const own = await app.inject({
        method: "POST",
        url: "/own",
        headers: { "x-request-id": "mine" },
        body: { a: 1 },
      });
      expect(own.json()).toEqual({ body: { a: 1 } });
      expect(own.headers).not.toHaveProperty("x-request-id");
      const malformed = await app.inject({
        method: "POST",
        url: "/own",
        headers: { "content-type": "application/json" },
        body: "{",
      });
      expect(malformed.json()).toMatchObject({ code: "FST_ERR_CTP_INVALID_JSON_BODY" });
      const text = { "content-type": "text/plain" };
      expect((await app.inject({ method: "POST", url: "/own", headers: text, body: "t" })).json().body).toBe(
        "t",
      );
      expect((await app.inject({ url: "/fails" })).json().message).toBe("the host's");
    });
  }

  it.each([
    ["marks it", {}],
    ["marks it as encapsulated", { encapsulate: true }],
  ])("applies its prefix once when fastify-plugin %s", async (_name, options) => {
    const marked = fastifyPlugin(decisionPlugin, options);
    try {
      const app = host();
      await app.register(marked, { decisions, prefix: "x" });
      await app.register(async (inner) => void (await inner.register(marked, { decisions, prefix: "x" })), {
        prefix: "x",
      });
      expect((await post(app, "/x/loan")).statusCode).toBe(200);
      expect((await post(app, "/x/x/loan")).statusCode).toBe(200);
      expect((await post(app, "/x/x/x/loan")).statusCode).toBe(404);
    } finally {
      fastifyPlugin(decisionPlugin);
    }
  });

  it("applies its prefix when one of the host's plugins calls it", async () => {
    const app = host();
    await app.register(
      async (inner) => {
        await decisionPlugin(inner, { decisions, prefix: "x" });
      },
      { prefix: "x" },
    );
    expect((await post(app, "/x/x/loan")).statusCode).toBe(200);
    expect((await post(app, "/x/loan")).statusCode).toBe(404);
  });

  it("respects encapsulation: the host's hooks run, in order", async () => {
    const app = host();
    const order: string[] = [];
    app.addHook("onRequest", async () => void order.push("outer"));
    await app.register(async (inner) => {
      inner.addHook("preHandler", async (request, reply) => {
        order.push("inner");
        if (request.headers.authorization === undefined) await reply.code(401).send({ error: "login" });
      });
      await inner.register(decisionPlugin, { decisions });
    });
    expect((await post(app, "/loan")).statusCode).toBe(401);
    const reply = await app.inject({
      method: "POST",
      url: "/loan",
      headers: { authorization: "me" },
      body: { score: 1 },
    });
    expect({ statusCode: reply.statusCode, order }).toEqual({
      statusCode: 200,
      order: ["outer", "inner", "outer", "inner"],
    });
  });

  it("leaves errors of the host's own code to its error handling, thrown values that aren't errors too", async () => {
    const coded = (code: unknown) => Object.assign(new Error("no"), { code });
    const slowDown = { statusCode: 429, message: "slow down" };
    // Codes that every object has a property for, and one that is no text.
    for (const thrown of [new Error("no"), slowDown, coded("toString"), coded("constructor"), coded(7)]) {
      const app = host();
      const handled: unknown[] = [];
      app.addHook("preHandler", async () => Promise.reject(thrown));
      app.setErrorHandler((error, _request, reply) => {
        handled.push(error);
        return reply.code(429).send("the host's");
      });
      await app.register(decisionPlugin, { decisions });
      expect({ body: (await post(app, "/loan")).body, handled }).toEqual({
        body: "the host's",
        handled: [thrown],
      });
    }
  });

  it("gives a failure of the host's own clock to its error handling", async () => {
    const broken = new Error("no time");
    const app = host();
    const handled: unknown[] = [];
    app.setErrorHandler((error, _request, reply) => {
      handled.push(error);
      return reply.code(503).send("the host's");
    });
    const now = (): never => {
      throw broken;
    };
    const { options } = recording();
    await app.register(decisionPlugin, { ...options, decisions, clock: { now, monotonic: () => 0 } });
    expect({ body: (await post(app, "/loan")).body, handled }).toEqual({
      body: "the host's",
      handled: [broken],
    });
  });

  it("logs faults to the host's log", async () => {
    const lines: string[] = [];
    const app = Fastify({
      logger: { level: "error", stream: { write: (line: string) => void lines.push(line) } },
    });
    open.push(app);
    await app.register(decisionPlugin, { decisions });
    await app.inject({
      method: "POST",
      url: "/loan",
      headers: { "x-request-id": "mine" },
      body: { score: 13 },
    });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ requestId: "mine", decisionId: "loan", msg: "Evaluation failed" }),
    ]);
  });

  it.each([undefined, "silent"] as const)(
    "logs its routes at the logLevel %j given to register",
    async (logLevel) => {
      const lines: string[] = [];
      const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
      open.push(app);
      await app.register(decisionPlugin, { decisions, ...(logLevel === undefined ? {} : { logLevel }) });
      expect((await post(app, "/loan")).statusCode).toBe(200);
      expect(lines.length > 0).toBe(logLevel === undefined);
    },
  );

  it("keeps the JSON parser that the host replaced Fastify's with", async () => {
    const app = host();
    app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) =>
      done(null, { ...JSON.parse(String(body)), score: 1 }),
    );
    await app.register(decisionPlugin, { decisions });
    expect((await post(app, "/loan")).json().meta.matchedRule).toBe("too-low");
  });

  it("applies the host's setting for forbidden keys", async () => {
    const body = '{"score":700,"__proto__":{}}';
    const headers = { "content-type": "application/json" };
    for (const [onProtoPoisoning, status] of [
      ["remove", 200],
      ["error", 400],
    ] as const) {
      const app = Fastify({ onProtoPoisoning });
      open.push(app);
      await app.register(decisionPlugin, { decisions });
      expect((await app.inject({ method: "POST", url: "/loan", headers, body })).statusCode).toBe(status);
    }
  });

  it("gives errors while writing the reply to the host's error handling", async () => {
    const app = host();
    app.setErrorHandler((error, _request, reply) => {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      return reply.code(503).removeHeader("x-broken").send({ code });
    });
    app.addHook("onSend", async (_request, reply) => {
      if (reply.statusCode === 200) reply.header("x-broken", "a\nb");
    });
    await app.register(decisionPlugin, { decisions });
    const reply = await post(app, "/loan");
    expect({ statusCode: reply.statusCode, body: reply.json() }).toEqual({
      statusCode: 503,
      body: { code: "ERR_INVALID_CHAR" },
    });
  });

  it("sends nothing if the host has replied first", async () => {
    const lines: string[] = [];
    const app = Fastify({ logger: { level: "warn", stream: { write: (line) => void lines.push(line) } } });
    open.push(app);
    const replied = gate();
    let pending: FastifyReply | undefined;
    const beforeEvaluate = () => {
      void pending?.code(504).send("too late");
      return replied.opened;
    };
    app.addHook("preHandler", async (_request, reply) => {
      pending = reply;
    });
    const { options, counted } = recording();
    const hooks = { beforeEvaluate };
    await app.register(decisionPlugin, { ...options, decisions, hooks });
    expect((await post(app, "/loan")).statusCode).toBe(504);
    replied.open();
    await expect.poll(counted).toEqual(["OK"]);
    await turn();
    expect(lines).toEqual([]);
  });

  it("keeps the host's body limit", async () => {
    const app = Fastify({ bodyLimit: 50 });
    open.push(app);
    await app.register(decisionPlugin, { decisions });
    const reply = await post(app, "/loan", { score: 700, pad: "x".repeat(50) });
    expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
      statusCode: 413,
      code: "BODY_TOO_LARGE",
    });
  });

  it.each([
    ["serves", decisions],
    ["could not be registered", undefined],
  ])("stops watching profiles when the host that it %s closes", async (_how, first) => {
    const signals: AbortSignal[] = [];
    const load = ({ signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    };
    const app = host();
    // A route of the same path makes the registration fail.
    if (first === undefined) app.post("/loan", async () => "taken");
    const registered = app.register(decisionPlugin, { decisions, profiles: watchProfiles({ load }) }).ready();
    if (first === undefined)
      await expect(registered).rejects.toMatchObject({ code: "FST_ERR_DUPLICATED_ROUTE" });
    else await registered;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await app.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
