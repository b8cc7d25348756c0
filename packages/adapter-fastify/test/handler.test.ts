import { Readable } from "node:stream";
import Fastify, { type FastifyReply, type FastifyRequest, type RequestPayload } from "fastify";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { gate, turn } from "../../../test/suites/gate.js";
import { createDecisionHandler, createDecisionRoute } from "../src/index.js";
import { access, loan } from "./decisions.js";
import { recording } from "./recording.js";

const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", collect));
afterAll(() => {
  process.off("unhandledRejection", collect);
  expect(unhandled).toEqual([]);
});

const never = (): Promise<never> => new Promise(() => {});
const boom = new Error("boom");
const throws = (): never => {
  throw boom;
};

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
  function host(options: Partial<Options> = {}, slowSend = false) {
    const record = recording();
    const handled: unknown[] = [];
    const app = Fastify();
    if (slowSend) app.addHook("onSend", async () => new Promise((resolve) => setTimeout(resolve, 2)));
    app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      handled.push([error, request.decision?.status]);
      return reply.code(error.statusCode ?? 500).send("the host's");
    });
    app.route(route({ decision: loan, ...record.options, ...options }));
    const send = (body: object = { score: 700 }) =>
      app.inject({ method: "POST", url: "/apply", headers: { "x-request-id": "mine" }, body });
    return { ...record, app, handled, send };
  }

  it("replies with the decision", async () => {
    expect((await host().send()).json()).toMatchObject({ status: "OK", data: { approved: true } });
    expect((await host().send({ score: "x" })).statusCode).toBe(400);
    expect((await host({ profile: { minScore: 800 } }).send()).json().meta.matchedRule).toBe("too-low");
  });

  it("takes profile and input from the request, synchronously or not", async () => {
    for (const profileResolver of [
      (request: FastifyRequest) => ({ minScore: Number(request.headers["x-limit"]) }),
      async (request: FastifyRequest) => ({ minScore: Number(request.headers["x-limit"]) }),
    ]) {
      const { app } = host({
        profileResolver,
        inputMapper: async ({ headers }) => ({ score: Number(headers["x-score"]) }),
      });
      const headers = { "x-limit": "500", "x-score": "499" };
      const reply = await app.inject({ method: "POST", url: "/apply", headers });
      expect(reply.json().meta.matchedRule).toBe("too-low");
    }
  });

  it.each([
    ["inputMapper throws", { inputMapper: throws }],
    ["inputMapper rejects", { inputMapper: () => Promise.reject(boom) }],
    ["profileResolver throws", { profileResolver: throws }],
    ["profileResolver rejects", { profileResolver: () => Promise.reject(boom) }],
    [
      "one rejects, one throws",
      { inputMapper: () => Promise.reject(new Error("late")), profileResolver: throws },
    ],
  ])("gives the host's error handling the thrown error when %s", async (_name, options: Partial<Options>) => {
    const { send, handled, errors, counted } = host(options);
    const reply = await send();
    expect([reply.body, reply.headers["x-request-id"]]).toEqual(["the host's", "mine"]);
    expect([handled, errors, counted()]).toEqual([[[boom, undefined]], [boom], ["ERROR"]]);
  });

  it.each([undefined, null, 0, "", "text", { statusCode: 200 }])(
    "wraps a thrown %j in an error",
    async (thrown) => {
      const { send, handled, errors, counted } = host({ profileResolver: () => Promise.reject(thrown) });
      const told = thrown === undefined ? expect.objectContaining({ code: "INTERNAL_ERROR" }) : thrown;
      expect([(await send()).body, errors, counted()]).toEqual(["the host's", [told], ["ERROR"]]);
      expect(handled).toEqual([
        [expect.objectContaining({ code: "INTERNAL_ERROR", cause: thrown }), undefined],
      ]);
    },
  );

  it("times out callbacks that never settle", async () => {
    for (const options of [{ inputMapper: never }, { profileResolver: never }]) {
      const { send, handled, errors, counted } = host({ ...options, hookTimeoutMs: 20 });
      expect([(await send()).statusCode, errors.length, counted()]).toEqual([503, 1, ["ERROR"]]);
      expect(handled).toEqual([[expect.objectContaining({ code: "HOOK_TIMEOUT" }), undefined]]);
    }
  });

  it("hands an error of the clock to the host's error handling", async () => {
    const { send, handled } = host({ clock: { now: throws, monotonic: () => 0 } });
    expect([(await send()).body, handled]).toEqual(["the host's", [[boom, undefined]]]);
  });

  it("blames the host for a resolved profile that breaks its schema", async () => {
    const { send, handled, errors, counted } = host({
      profileResolver: () => JSON.parse('{"minScore":"x"}'),
    });
    expect([(await send()).body, errors.length, counted()]).toEqual(["the host's", 1, ["ERROR"]]);
    expect(handled).toEqual([[expect.objectContaining({ code: "INVALID_HOST_PROFILE" }), undefined]]);
  });

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

  describe("onResult", () => {
    it("runs before the reply, with the result also at the request, and may add headers", async () => {
      const seen: unknown[] = [];
      const { send } = host({
        onResult: async (result, request, reply) => {
          await Promise.resolve();
          seen.push([result.status, request.decision === result, reply.sent]);
          reply.header("x-own", "1");
        },
      });
      const reply = await send();
      expect([reply.statusCode, reply.headers["x-own"], seen]).toEqual([200, "1", [["OK", true, false]]]);
    });

    it("does not run on a fault", async () => {
      const onResult = vi.fn();
      expect((await host({ onResult }).send({ score: 13 })).statusCode).toBe(500);
      expect(onResult).not.toHaveBeenCalled();
    });

    it.each([
      ["throws", throws],
      ["rejects", () => Promise.reject(boom)],
    ])("that %s goes to the host's error handling, and is not counted again", async (_name, onResult) => {
      const { send, handled, errors, counted } = host({ onResult });
      expect([(await send()).body, errors, counted()]).toEqual(["the host's", [boom], ["OK"]]);
      expect(handled).toEqual([[boom, "OK"]]);
    });

    it("that never settles times out, and one that returns nonsense changes nothing", async () => {
      const { send, errors, counted } = host({ onResult: never, hookTimeoutMs: 20 });
      expect([(await send()).statusCode, errors.length, counted()]).toEqual([503, 1, ["OK"]]);
      expect((await host({ onResult: () => ({ status: "HACKED" }) }).send()).json().status).toBe("OK");
    });

    const replies: readonly (readonly [string, (reply: FastifyReply) => unknown])[] = [
      ["send", (reply) => void reply.code(202).send("own")],
      ["send, returned", (reply) => reply.code(202).send("own")],
      ["a promise", async (reply) => void (await reply.code(202).send("own"))],
      ["a promise of the reply", async (reply) => reply.code(202).send("own")],
      ["a stream", (reply) => void reply.code(202).send(Readable.from(["own"]))],
      ["hijack", (reply) => void reply.hijack().raw.writeHead(202).end("own")],
    ];
    for (const slowSend of [false, true]) {
      it.each(replies)(
        `that has sent a reply itself, by %s, is left alone${slowSend ? ", though the host's onSend is slow" : ""}`,
        async (_name, send) => {
          const { app, handled, errors, ...rest } = host(
            { onResult: (_r, _q, reply) => send(reply) },
            slowSend,
          );
          const warned = vi.spyOn(app.log, "warn");
          const answer = await rest.send();
          expect([answer.statusCode, answer.body]).toEqual([202, "own"]);
          expect([handled, errors, warned.mock.calls]).toEqual([[], [], []]);
        },
      );
    }

    it("that has sent a reply and then throws: the reply stands, the error is reported", async () => {
      for (const slowSend of [false, true]) {
        const { send, handled, errors, counted, logged } = host(
          {
            onResult: (_result, _request, reply) => {
              void reply.code(202).send("own");
              throw boom;
            },
          },
          slowSend,
        );
        expect((await send()).body).toBe("own");
        expect([handled, errors, counted(), logged]).toEqual([[], [boom], ["OK"], [boom]]);
      }
    });
  });

  it("sends nothing if the host has replied in the meantime", async () => {
    for (const end of [() => ({ minScore: 1 }), throws]) {
      const replied = gate();
      let pending: FastifyReply | undefined;
      const profileResolver = () => {
        void pending?.code(504).send("too slow");
        return replied.opened.then(end);
      };
      const { app, send, handled, counted } = host({ profileResolver });
      app.addHook("preHandler", async (_request, reply) => {
        pending = reply;
      });
      expect((await send()).statusCode).toBe(504);
      replied.open();
      await expect.poll(counted).toHaveLength(1);
      await turn();
      expect(handled).toEqual([]);
    }
  });

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
    expect([reply.statusCode, sent, lines]).toEqual([200, [true], []]);
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

  it.each([
    [{ profile: {}, profileResolver: () => ({}) }, /profile and profileResolver contradict/],
    [{ profile: { minScore: "x" } }, /profile/],
    [{ onDeny: () => {} }, /onDeny/],
    [{ onResult: 1, inputMapper: "body" }, /inputMapper: must be a function/],
    [{ decision: undefined }, /decision/],
    [{ decision: { id: "x" } }, /defineDecision/],
  ])("refuses the options %#", (options, message) => {
    // JavaScript hosts can write these.
    const given = { decision: loan, ...options } as unknown as Options;
    expect(() => route(given)).toThrow(message);
    expect(() => route(given)).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });
});

describe("createDecisionRoute", () => {
  it("asks for a url and a decision, both at once", () => {
    // JavaScript hosts can write this.
    expect(() => createDecisionRoute({} as unknown as Options)).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTIONS",
        problems: [
          { path: "/url", message: "is required" },
          { path: "/decision", message: "is required" },
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
      expect([reply.statusCode, reply.json().code]).toEqual([400, "INVALID_JSON"]);
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
