import Fastify, { type FastifyReply } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, turn } from "../../../test/suites/gate.js";
import { createDecisionHandler, createDecisionHook } from "../src/index.js";
import { access, loan } from "./decisions.js";
import { recording } from "./recording.js";

const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", collect));
afterAll(() => {
  process.off("unhandledRejection", collect);
  expect(unhandled).toEqual([]);
});

const boom = new Error("boom");
type Options = Parameters<
  typeof createDecisionHook<{ allowed: boolean }, { roles?: string[] | undefined }>
>[0];

describe("createDecisionHook", () => {
  function host(options: Partial<Options> = {}, slowSend = false) {
    const record = recording();
    const handled: unknown[] = [];
    const entered: unknown[] = [];
    const app = Fastify();
    if (slowSend) app.addHook("onSend", async () => new Promise((resolve) => setTimeout(resolve, 2)));
    app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
      handled.push(error);
      return reply.code(error.statusCode ?? 500).send("the host's");
    });
    const preHandler = createDecisionHook({
      decision: access,
      inputMapper: (request) => ({ role: request.headers["x-role"] }),
      ...record.options,
      ...options,
    });
    app.get("/reports", { preHandler }, async (request) => {
      entered.push(request.decision);
      return "the report";
    });
    const send = (role = "admin") =>
      app.inject({ url: "/reports", headers: { "x-role": role, "x-request-id": "mine" } });
    return { ...record, app, handled, entered, send };
  }

  it("lets a request through when the decision allows it, with the result at the request", async () => {
    const { send, entered, counted } = host();
    const reply = await send();
    expect([reply.body, reply.headers["x-request-id"]]).toEqual(["the report", "mine"]);
    expect(entered).toEqual([expect.objectContaining({ status: "OK", data: { allowed: true } })]);
    expect(counted()).toEqual(["OK"]);
  });

  it.each([
    ["/reports/all", "/reports/all"],
    ["/re%70orts/%61ll?to=/public", "/reports/all"],
    ["/reports/a%2fb", "/reports/a%2Fb"],
    ["/old/all", "/reports/all"],
  ])("tells hooks the version, and the path as Fastify routes it: %s", async (url, path) => {
    const seen: unknown[] = [];
    const app = Fastify({ rewriteUrl: (request) => String(request.url).replace(/^\/old\//, "/reports/") });
    const preHandler = createDecisionHook({
      decision: access,
      inputMapper: () => ({ role: "admin" }),
      hooks: {
        beforeEvaluate: ({ decisionVersion, selectedBy, request }) =>
          void seen.push([decisionVersion, selectedBy, request?.path]),
      },
    });
    app.get("/reports/:which", { preHandler }, async () => "the report");
    expect((await app.inject({ url })).statusCode).toBe(200);
    expect(seen).toEqual([[access.version, "default", path]]);
  });

  it("denies everything else with 403", async () => {
    const { app, send, entered, handled, errors, counted } = host();
    for (const reply of [await send("guest"), await app.inject({ url: "/reports" })]) {
      expect([reply.statusCode, reply.json()]).toEqual([
        403,
        { error: "Access denied", code: "ACCESS_DENIED" },
      ]);
      expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(reply.headers["x-request-id"]).toMatch(/^mine$|^[0-9a-f-]{36}$/);
    }
    expect([entered, handled, errors, counted()]).toEqual([[], [], [], ["OK", "INVALID_INPUT"]]);
  });

  it("gives a fault to the host's error handling, masked", async () => {
    const { send, entered, handled } = host({
      hooks: {
        beforeEvaluate: () => {
          throw Object.assign(new Error("secret"), { statusCode: 401 });
        },
      },
    });
    expect([(await send()).statusCode, entered]).toEqual([401, []]);
    expect(handled).toEqual([
      expect.objectContaining({ code: "EVALUATION_ABORTED", message: "Evaluation refused" }),
    ]);
  });

  it("takes the body if there is no inputMapper", async () => {
    const app = Fastify();
    app.post("/", { preHandler: createDecisionHook({ decision: access }) }, async () => "in");
    const send = (body: object) => app.inject({ method: "POST", url: "/", body });
    expect((await send({ role: "admin" })).body).toBe("in");
    expect((await send({ role: "guest" })).statusCode).toBe(403);
    expect((await app.inject({ method: "POST", url: "/" })).statusCode).toBe(403);
  });

  it("guards every route of an instance when it is added as a hook", async () => {
    const app = Fastify();
    await app.register(async (inner) => {
      inner.addHook(
        "preHandler",
        createDecisionHook({
          decision: access,
          inputMapper: ({ headers }): unknown => ({ role: headers["x-role"] }),
        }),
      );
      inner.get("/inside", async () => "in");
    });
    app.get("/outside", async () => "out");
    expect((await app.inject({ url: "/inside" })).statusCode).toBe(403);
    expect((await app.inject({ url: "/inside", headers: { "x-role": "admin" } })).body).toBe("in");
    expect((await app.inject({ url: "/outside" })).body).toBe("out");
  });

  describe("onDeny", () => {
    const ways: readonly (readonly [string, (reply: FastifyReply) => unknown])[] = [
      ["send", (reply) => void reply.code(451).send({})],
      ["send, returned", (reply) => reply.code(451).send({})],
      ["later", async (reply) => reply.code(451).send({})],
      ["hijack", (reply) => void reply.hijack().raw.writeHead(451).end()],
    ];
    for (const slowSend of [false, true]) {
      it.each(ways)(
        `may reply itself: %s${slowSend ? ", though the host's onSend is slow" : ""}`,
        async (_name, reply) => {
          const { send, entered, errors } = host({ onDeny: (_result, _request, r) => reply(r) }, slowSend);
          expect([(await send("guest")).statusCode, entered, errors]).toEqual([451, [], []]);
        },
      );
    }

    it("that doesn't reply leaves the 403", async () => {
      const seen: unknown[] = [];
      const { send } = host({ onDeny: (result, request) => void seen.push([result.status, request.url]) });
      expect([(await send("guest")).statusCode, seen]).toEqual([403, [["OK", "/reports"]]]);
    });

    it("that throws goes to the host's error handling, and is reported once", async () => {
      const { send, entered, handled, errors, counted } = host({ onDeny: () => Promise.reject(boom) });
      expect([(await send("guest")).statusCode, entered]).toEqual([500, []]);
      expect([handled, errors, counted()]).toEqual([[boom], [boom], ["OK"]]);
    });

    it("that replies and then throws: the reply stands", async () => {
      const { send, entered, handled, errors } = host({
        onDeny: (_result, _request, reply) => {
          void reply.code(451).send({});
          throw boom;
        },
      });
      expect([(await send("guest")).statusCode, entered, handled, errors]).toEqual([451, [], [], [boom]]);
    });

    it("does not run when access is allowed", async () => {
      const onDeny = () => {
        throw boom;
      };
      expect((await host({ onDeny }).send()).body).toBe("the report");
    });
  });

  it("lets isDenied decide instead, and reports once when it throws", async () => {
    const { send } = host({ isDenied: (result) => result.status === "OK" && result.data.allowed });
    expect([(await send("guest")).body, (await send()).statusCode]).toEqual(["the report", 403]);
    const failing = host({
      isDenied: () => {
        throw boom;
      },
    });
    expect([(await failing.send()).statusCode, failing.entered]).toEqual([500, []]);
    expect([failing.handled, failing.errors, failing.counted()]).toEqual([[boom], [boom], ["OK"]]);
  });

  it("does not run the handler when somebody replied in the meantime", async () => {
    const replied = gate();
    let pending: FastifyReply | undefined;
    const inputMapper = () => {
      void pending?.code(504).send("too slow");
      return replied.opened.then(() => ({ role: "admin" }));
    };
    const { app, send, entered, counted } = host({ inputMapper });
    app.addHook("onRequest", async (_request, reply) => {
      pending = reply;
    });
    expect((await send()).statusCode).toBe(504);
    replied.open();
    await expect.poll(counted).toEqual(["OK"]);
    await turn();
    expect(entered).toEqual([]);
  });

  it("keeps one id for all the decisions of a request", async () => {
    const { options, events } = recording();
    const app = Fastify();
    const preHandler = createDecisionHook({
      decision: access,
      inputMapper: () => ({ role: "admin" }),
      ...options,
    });
    app.post("/", { preHandler }, createDecisionHandler({ decision: loan, ...options }));
    const reply = await app.inject({ method: "POST", url: "/", body: { score: 700 } });
    expect(events.map(({ context }) => context.requestId)).toEqual(
      Array(2).fill(reply.headers["x-request-id"]),
    );
  });

  it("refuses a decision that neither allows nor denies, and unknown options", () => {
    const silent = { ...loan, outputSchema: access.inputSchema };
    expect(() => createDecisionHook({ decision: silent })).toThrow(/isDenied/);
    // JavaScript hosts can write this.
    const given = { decision: access, onResult: () => {} } as unknown as Options;
    expect(() => createDecisionHook(given)).toThrow(/onResult/);
  });
});
