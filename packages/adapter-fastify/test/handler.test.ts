import Fastify, { type FastifyReply, type FastifyRequest, type RequestPayload } from "fastify";
import { describe, expect, it } from "vitest";
import { turn } from "../../../test/suites/gate.js";
import { access, loan } from "../../../test/suites/loan-and-access.js";
import { singleSuite } from "../../../test/suites/single-suite.js";
import { createDecisionHandler, createDecisionRoute } from "../src/index.js";
import { fastifyFramework } from "./fastify-framework.js";

singleSuite(fastifyFramework);

type Options = Parameters<
  typeof createDecisionRoute<{ approved: boolean; rate: number }, { minScore?: number | undefined }>
>[0];

/** Both ways to serve one decision at a route of the host's own. */
const ways = {
  createDecisionHandler: (options: Omit<Options, "url">) => ({
    method: "POST" as const,
    url: "/apply",
    handler: createDecisionHandler(options),
  }),
  createDecisionRoute: (options: Omit<Options, "url">) => createDecisionRoute({ ...options, url: "/apply" }),
};

describe.each(Object.entries(ways))("%s", (_name, route) => {
  function host(options: Partial<Options> = {}) {
    const app = Fastify();
    app.route(route({ decision: loan, ...options }));
    return { app };
  }

  it("refuses a body that isn't JSON, unless an inputMapper reads it", async () => {
    const { app } = host();
    const text = {
      method: "POST",
      url: "/apply",
      headers: { "content-type": "text/plain" },
      body: "700",
    } as const;
    expect((await app.inject(text)).json()).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
    const mapped = host({ inputMapper: ({ body }) => ({ score: Number(body) }) });
    expect((await mapped.app.inject(text)).json()).toMatchObject({ status: "OK" });
    expect((await app.inject({ method: "POST", url: "/apply" })).json()).toMatchObject({
      status: "INVALID_INPUT",
    });
  });

  it("takes the body that the host's parser made from another JSON media type", async () => {
    const { app } = host();
    app.addContentTypeParser("application/ld+json", { parseAs: "string" }, (_request, body, done) =>
      done(null, JSON.parse(String(body))),
    );
    const reply = await app.inject({
      method: "POST",
      url: "/apply",
      headers: { "content-type": "application/ld+json" },
      body: '{"score":700}',
    });
    expect(reply.json()).toMatchObject({ status: "OK" });
  });

  it.each(fastifyFramework.replies)(
    "makes Fastify warn of nothing when onResult has replied by $name",
    async ({ send }) => {
      for (const isSlow of [false, true]) {
        const lines: string[] = [];
        const stream = { write: (line: string) => void lines.push(line) };
        const app = Fastify({ logger: { level: "warn", stream } });
        if (isSlow) app.addHook("onSend", async () => new Promise((resolve) => setTimeout(resolve, 2)));
        app.route(route({ decision: loan, onResult: (_result, _request, reply) => send(reply) }));
        await app.inject({ method: "POST", url: "/apply", body: { score: 700 } });
        expect(lines).toEqual([]);
      }
    },
  );

  it.each(["INVALID_JSON", "FORBIDDEN_KEY", "FST_ERR_CTP_BODY_TOO_LARGE"])(
    "doesn't blame the body for a callback that throws %s, as a client of another service may",
    async (code) => {
      const fail = (): never => {
        throw Object.assign(new Error("upstream"), { code });
      };
      const hosts = [{ inputMapper: fail }, { profileResolver: fail }, { onResult: fail }].map(host);
      for (const { app } of hosts) {
        app.setErrorHandler((error, _request, reply) => reply.code(502).send({ got: error }));
        const reply = await app.inject({ method: "POST", url: "/apply", body: { score: 700 } });
        expect({ statusCode: reply.statusCode, code: reply.json().got?.code }).toEqual({
          statusCode: 502,
          code,
        });
      }
    },
  );

  it("resolves for the host's own handler once the reply has been sent", async () => {
    const lines: string[] = [];
    const app = Fastify({ logger: { level: "warn", stream: { write: (line) => void lines.push(line) } } });
    const handler = createDecisionHandler({ decision: loan });
    const sent: boolean[] = [];
    app.post("/apply", async (request, reply) => {
      await handler.call(app, request, reply);
      sent.push(reply.sent);
    });
    const reply = await app.inject({ method: "POST", url: "/apply", body: { score: 700 } });
    expect({ statusCode: reply.statusCode, sent, lines }).toEqual({
      statusCode: 200,
      sent: [true],
      lines: [],
    });
  });

  it("logs to the log of the host that serves it", async () => {
    const { method, url, handler } = route({ decision: loan });
    for (const name of ["one", "two"]) {
      const lines: string[] = [];
      const stream = { write: (line: string) => void lines.push(line) };
      const app = Fastify({ logger: { level: "error", name, stream } });
      app.route({ method, url, handler });
      await app.inject({ method: "POST", url: "/apply", body: { score: 13 } });
      await app.inject({ method: "POST", url: "/apply", body: { score: 13 } });
      expect(lines.map((line) => JSON.parse(line).name)).toEqual([name, name]);
    }
  });
});

describe("createDecisionRoute", () => {
  it("asks for a url and a decision, both at once", () => {
    // JavaScript hosts can write this.
    expect(() => createDecisionRoute({} as unknown as Options)).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        problems: [
          { path: "/decision", message: "is required" },
          { path: "/url", message: "is required" },
        ],
      }),
    );
  });

  it("reports an empty body as invalid JSON", async () => {
    const app = Fastify();
    app.route(createDecisionRoute({ url: "/apply", decision: loan }));
    const headers = { "content-type": "application/json" };
    for (const body of [{}, { body: "" }]) {
      const reply = await app.inject({ method: "POST", url: "/apply", headers, ...body });
      expect({ statusCode: reply.statusCode, code: reply.json().code }).toEqual({
        statusCode: 400,
        code: "INVALID_JSON",
      });
    }
  });

  it("leaves the body to preParsing hooks behind it that take their time", async () => {
    const app = Fastify();
    app.addHook("onRoute", (route) => {
      const wait = async (_request: FastifyRequest, _reply: FastifyReply, payload: RequestPayload) => {
        await turn();
        return payload;
      };
      route.preParsing = [route.preParsing ?? [], wait].flat();
    });
    app.route(createDecisionRoute({ url: "/apply", decision: loan }));
    const headers = { "content-type": "application/json" };
    const send = (body: string) => app.inject({ method: "POST", url: "/apply", headers, body });
    expect((await send('{"score":700}')).json()).toMatchObject({ status: "OK" });
    expect((await send('{"score":700,"__proto__":{}}')).json()).toMatchObject({ code: "FORBIDDEN_KEY" });
    expect((await send("{")).json()).toMatchObject({ code: "INVALID_JSON" });
  });

  it("takes a method, and can be spread with other options", async () => {
    const app = Fastify();
    app.route({
      ...createDecisionRoute({
        url: "/access",
        method: "GET",
        decision: access,
        inputMapper: () => ({ role: "admin" }),
      }),
      onRequest: async (request, reply) => {
        if (request.headers.authorization === undefined) return reply.code(401).send({ error: "login" });
        return undefined;
      },
    });
    expect((await app.inject({ url: "/access" })).statusCode).toBe(401);
    expect((await app.inject({ url: "/access", headers: { authorization: "me" } })).json().status).toBe("OK");
  });
});
