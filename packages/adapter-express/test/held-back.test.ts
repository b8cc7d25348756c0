import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import session, { MemoryStore, type SessionData } from "express-session";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { access, loan } from "./decisions.js";
import { expressVersions } from "./express-versions.js";
import { recording } from "./recording.js";

/** A store as most are: what it is asked to keep is kept later. */
class LaterStore extends MemoryStore {
  override set(id: string, data: SessionData, done?: (error?: unknown) => void): void {
    setTimeout(() => super.set(id, data, done), 20);
  }

  override touch(id: string, data: SessionData, done?: () => void): void {
    setTimeout(() => super.touch(id, data, done), 20);
  }
}

/** Middlewares that hold every reply back: the first sends its headers at once, the second keeps everything. */
const middlewares: readonly (readonly [name: string, make: () => RequestHandler])[] = [
  [
    "express-session",
    () => session({ secret: "x", resave: true, saveUninitialized: true, store: new LaterStore() }),
  ],
  [
    "a middleware that calls end later",
    () => (_request, response, next) => {
      const end: unknown = response.end;
      let called = false;
      const later = (...args: unknown[]): Response => {
        if (!called) setTimeout(() => Reflect.apply(end as typeof response.end, response, args), 20);
        called = true;
        return response;
      };
      Object.assign(response, { end: later });
      next();
    },
  ],
];
const cases = (await expressVersions()).flatMap((version) =>
  middlewares.map(([middleware, holdBack]) => ({ ...version, middleware, holdBack })),
);

/** Ways in which a host's own code replies. */
const replies: readonly (readonly [name: string, reply: (response: Response) => void, status: number])[] = [
  ["end", (response) => void response.status(204).end(), 204],
  ["redirect", (response) => response.redirect("/login"), 302],
  ["json", (response) => void response.status(402).json({ own: true }), 402],
  [
    "write and end",
    (response) => {
      response.status(203).write("o");
      response.end("wn");
    },
    203,
  ],
];

describe.each(cases)("a reply that $middleware holds back, $name", ({ express, adapter, holdBack }) => {
  /** An application with sessions; `handled` has what reached the host's error handling. */
  function host(...own: RequestHandler[]) {
    const handled: unknown[] = [];
    const app = express();
    app.use(holdBack(), ...own);
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      handled.push(error);
      response.status(500).send("the host's");
    };
    app.use(onError);
    return { app, handled };
  }

  it("from the router arrives complete", async () => {
    const { app } = host(adapter.createDecisionRouter({ decisions: [loan] }));
    const reply = await request(app).post("/loan").send({ score: 700 });
    expect([reply.status, reply.body.data]).toEqual([200, { approved: true, rate: 4.9 }]);
    expect((await request(app).post("/loan").type("json").send("{")).body.code).toBe("INVALID_JSON");
  });

  it.each(replies)("from onResult, by %s, arrives unchanged", async (_name, reply, status) => {
    const { app, handled } = host(
      adapter.createDecisionMiddleware({
        decision: loan,
        onResult: (_result, _request, response) => reply(response),
      }),
    );
    const answer = await request(app).post("/").redirects(0).send({ score: 700 });
    expect([answer.status, answer.headers["x-request-id"], handled]).toEqual([status, undefined, []]);
    expect(answer.text).not.toContain("standard");
  });

  it.each(replies)("from onDeny, by %s, arrives unchanged", async (_name, reply, status) => {
    let ran = false;
    const guard = adapter.createDecisionGuard({
      decision: access,
      inputMapper: () => ({ role: "guest" }),
      onDeny: (_result, _request, response) => reply(response),
    });
    const { app, handled } = host(guard, (_request, response) => {
      ran = true;
      response.send("in");
    });
    const answer = await request(app).get("/").redirects(0);
    expect([answer.status, answer.headers["x-request-id"], handled, ran]).toEqual([
      status,
      undefined,
      [],
      false,
    ]);
    expect(answer.text).not.toContain("ACCESS_DENIED");
  });

  it("stands when the callback that sent it then throws", async () => {
    const { options } = recording();
    const fail = (_result: unknown, _request: unknown, response: Response): never => {
      response.status(204).end();
      throw new Error("boom");
    };
    const inputMapper = () => ({ role: "guest" });
    for (const middleware of [
      adapter.createDecisionMiddleware({ ...options, decision: access, inputMapper, onResult: fail }),
      adapter.createDecisionGuard({ ...options, decision: access, inputMapper, onDeny: fail }),
    ]) {
      const { app, handled } = host(middleware);
      expect([(await request(app).get("/")).status, handled]).toEqual([204, []]);
    }
  });

  it("stands when the host gave up on the decision, which finishes later", async () => {
    for (const fails of [false, true]) {
      const { options } = recording();
      let giveUp = (): void => {};
      const hooks = {
        // As a time-out of the host's, which comes while the hook is waited for.
        beforeEvaluate: async () => {
          await Promise.resolve();
          giveUp();
          if (fails) throw new Error("boom");
        },
      };
      const remember: RequestHandler = (_request, response, next) => {
        giveUp = () => void response.status(504).end();
        next();
      };
      const one = { ...options, hooks, decision: access, inputMapper: () => ({ role: "admin" }) };
      for (const middleware of [
        adapter.createDecisionRouter({ ...options, hooks, decisions: [access] }),
        adapter.createDecisionMiddleware(one),
        adapter.createDecisionGuard(one),
      ]) {
        let ran = false;
        const { app, handled } = host(remember, middleware, (_request, response) => {
          ran = true;
          response.send("in");
        });
        const answer = await request(app).post(`/${access.id}`).send({ role: "admin" });
        expect([answer.status, answer.text, ran, handled]).toEqual([504, "", false, []]);
      }
    }
  });
});
