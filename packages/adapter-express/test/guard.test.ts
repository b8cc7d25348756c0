import { once } from "node:events";
import { get } from "node:http";
import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import request from "supertest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate, turn } from "../../../test/suites/gate.js";
import { access, loan } from "./decisions.js";
import { expressVersions } from "./express-versions.js";
import { recording } from "./recording.js";

const versions = await expressVersions();
const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", collect));
afterAll(() => {
  process.off("unhandledRejection", collect);
  expect(unhandled).toEqual([]);
});

const boom = new Error("boom");

describe.each(versions)("createDecisionGuard, $name", ({ express, adapter }) => {
  type Options = Parameters<
    typeof adapter.createDecisionGuard<{ allowed: boolean }, { roles?: string[] | undefined }>
  >[0];

  function host(options: Partial<Options> = {}, ...before: RequestHandler[]) {
    const record = recording();
    const handled: unknown[] = [];
    const entered: unknown[] = [];
    const app = express();
    const guard = adapter.createDecisionGuard({
      decision: access,
      inputMapper: (request) => ({ role: request.get("x-role") }),
      ...record.options,
      ...options,
    });
    app.get("/reports", ...before, guard, (request, response) => {
      entered.push(request.decision);
      response.send("the report");
    });
    const own: ErrorRequestHandler = (error, _request, response, _next) => {
      handled.push(error);
      response.status(error.statusCode ?? 500).send("the host's");
    };
    app.use(own);
    const send = (role = "admin") => request(app).get("/reports").set("x-role", role);
    return { ...record, app, handled, entered, send };
  }

  it("lets a request through when the decision allows it, with the result at the request", async () => {
    const { send, entered, counted } = host();
    const reply = await send().set("x-request-id", "mine");
    expect([reply.text, reply.headers["x-request-id"]]).toEqual(["the report", "mine"]);
    expect(entered).toEqual([expect.objectContaining({ status: "OK", data: { allowed: true } })]);
    expect(counted()).toEqual(["OK"]);
  });

  it.each([
    ["/reports", "/reports"],
    ["/reports/", "/reports/"],
    ["/reports?to=/public", "/reports"],
    ["/reports/%61ll/a%2Fb", "/reports/all/a%2Fb"],
    ["/old/all", "/reports/all"],
    ["http://example.com/reports/%61ll?x", "/reports/all"],
  ])("tells hooks the version, and the path as Express routes it: %s", async (target, path) => {
    const seen: unknown[] = [];
    const app = express();
    app.use((incoming, _response, next) => {
      incoming.url = incoming.url.replace(/^\/old\//, "/reports/");
      next();
    });
    const guard = adapter.createDecisionGuard({
      decision: access,
      inputMapper: () => ({ role: "admin" }),
      hooks: {
        beforeEvaluate: ({ decisionVersion, selectedBy, request: { path } = {} }) =>
          void seen.push([decisionVersion, selectedBy, path]),
      },
    });
    app.use("/reports", guard, (_request, response) => void response.send("the report"));
    const server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    // `fetch` and supertest send no absolute targets.
    const [reply] = await once(get({ host: "127.0.0.1", port, path: target, agent: false }), "response");
    reply.resume();
    server.close();
    expect([reply.statusCode, seen]).toEqual([200, [[access.version, "default", path]]]);
  });

  it("denies everything else with 403", async () => {
    const { send, entered, handled, errors, counted } = host();
    for (const reply of [await send("guest"), await request(host().app).get("/reports")]) {
      expect([reply.status, reply.body]).toEqual([403, { error: "Access denied", code: "ACCESS_DENIED" }]);
      expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(reply.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect([entered, handled, errors, counted()]).toEqual([[], [], [], ["OK"]]);
  });

  it("gives a fault to the host's error handling, masked", async () => {
    const { send, entered, handled } = host({
      hooks: {
        beforeEvaluate: () => {
          throw Object.assign(new Error("secret"), { statusCode: 401 });
        },
      },
    });
    expect([(await send()).status, entered]).toEqual([401, []]);
    expect(handled).toEqual([
      expect.objectContaining({ code: "EVALUATION_ABORTED", message: "Evaluation refused" }),
    ]);
  });

  it("takes the parsed body when there is no inputMapper, and finds forbidden keys in it", async () => {
    const app = express().use(express.json());
    const entered: unknown[] = [];
    app.post("/", adapter.createDecisionGuard({ decision: access }), (request, response) => {
      entered.push(request.body);
      response.send("in");
    });
    const send = (body: string) =>
      request(app)
        .post("/")
        .set("content-type", "application/json")
        .serialize((text) => text)
        .send(body);
    expect((await send('{"role":"admin"}')).text).toBe("in");
    expect((await send('{"role":"guest"}')).status).toBe(403);
    expect((await send('{"role":"admin","__proto__":{}}')).status).toBe(400);
    expect(entered).toEqual([{ role: "admin" }]);
  });

  it("leaves a parsed body alone that its inputMapper does not need", async () => {
    const app = express().use(express.json());
    const guard = adapter.createDecisionGuard({ decision: access, inputMapper: () => ({ role: "admin" }) });
    app.post("/", guard, (_request, response) => void response.send("in"));
    const reply = await request(app).post("/").type("json").send('{"__proto__":{}}');
    expect(reply.text).toBe("in");
  });

  it("doesn't read the body, so that the next handler can", async () => {
    const app = express();
    app.post("/", adapter.createDecisionGuard({ decision: access, inputMapper: () => ({ role: "admin" }) }));
    app.post("/", express.text(), (request, response) => void response.send(request.body));
    expect((await request(app).post("/").type("text").send("untouched")).text).toBe("untouched");
  });

  describe("onDeny", () => {
    const ways: readonly (readonly [string, (response: Response) => unknown])[] = [
      ["json", (response) => response.status(451).json({})],
      ["later", (response) => Promise.resolve().then(() => response.status(451).json({}))],
      ["render", (response) => response.status(451).render("view")],
    ];
    it.each(ways)("may reply itself: %s", async (_name, reply) => {
      const { app, send, entered, errors } = host({
        onDeny: (_result, _request, response) => reply(response),
      });
      app.engine("txt", (_path, _options, done) => setTimeout(done, 5, null, "rendered"));
      app.set("view engine", "txt").set("views", new URL("views", import.meta.url).pathname);
      expect([(await send("guest")).status, entered, errors]).toEqual([451, [], []]);
    });

    it("that doesn't reply leaves the 403", async () => {
      const seen: unknown[] = [];
      const { send } = host({ onDeny: (result, request) => void seen.push([result.status, request.path]) });
      expect([(await send("guest")).status, seen]).toEqual([403, [["OK", "/reports"]]]);
    });

    it("that throws goes to the host's error handling, and is reported once", async () => {
      const { send, entered, handled, errors, counted } = host({ onDeny: () => Promise.reject(boom) });
      expect([(await send("guest")).status, entered]).toEqual([500, []]);
      expect([handled, errors, counted()]).toEqual([[boom], [boom], ["OK"]]);
    });

    it("that replies and then throws: the reply stands", async () => {
      const { send, entered, handled, errors } = host({
        onDeny: (_result, _request, response) => {
          response.status(451).json({});
          throw boom;
        },
      });
      expect([(await send("guest")).status, entered, handled, errors]).toEqual([451, [], [], [boom]]);
    });

    it("does not run when access is allowed", async () => {
      const onDeny = () => {
        throw boom;
      };
      expect((await host({ onDeny }).send()).text).toBe("the report");
    });
  });

  it("lets isDenied decide instead, and reports once when it throws", async () => {
    const { send } = host({ isDenied: (result) => result.status === "OK" && result.data.allowed });
    expect([(await send("guest")).text, (await send()).status]).toEqual(["the report", 403]);
    const failing = host({
      isDenied: () => {
        throw boom;
      },
    });
    expect([(await failing.send()).status, failing.entered]).toEqual([500, []]);
    expect([failing.handled, failing.errors, failing.counted()]).toEqual([[boom], [boom], ["OK"]]);
  });

  it("does not run the handler when somebody replied in the meantime", async () => {
    const replied = gate();
    const replyFirst: RequestHandler = (_request, response, next) => {
      next();
      response.status(504).send("too slow");
    };
    const inputMapper = () => replied.opened.then(() => ({ role: "admin" }));
    const { send, entered, counted } = host({ inputMapper }, replyFirst);
    expect((await send()).status).toBe(504);
    replied.open();
    await expect.poll(counted).toEqual(["OK"]);
    await turn();
    expect(entered).toEqual([]);
  });

  it("keeps one id for all the decisions of a request", async () => {
    const { options, events } = recording();
    const app = express();
    app.post(
      "/",
      adapter.createDecisionGuard({ decision: access, inputMapper: () => ({ role: "admin" }), ...options }),
      adapter.createDecisionMiddleware({ decision: loan, ...options }),
    );
    const reply = await request(app).post("/").send({ score: 700 });
    expect(events.map(({ context }) => context.requestId)).toEqual(
      Array(2).fill(reply.headers["x-request-id"]),
    );
  });

  it("refuses a decision that neither allows nor denies, and unknown options", () => {
    const silent = { ...loan, outputSchema: access.inputSchema };
    expect(() => adapter.createDecisionGuard({ decision: silent })).toThrow(/isDenied/);
    // JavaScript hosts can write this.
    const given = { decision: access, onResult: () => {} } as unknown as Options;
    expect(() => adapter.createDecisionGuard(given)).toThrow(/onResult/);
  });
});
