import { once } from "node:events";
import type { Server } from "node:http";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import session, { MemoryStore, type SessionData } from "express-session";
import request from "supertest";
import type { App, Framework, OneDecision, Surroundings } from "../../../test/suites/framework.js";
import { type ExpressVersion, expressVersions } from "./express-versions.js";

/** A store as most are: what it is asked to keep is kept later. */
class LaterStore extends MemoryStore {
  override set(id: string, data: SessionData, done?: (error?: unknown) => void): void {
    setTimeout(() => super.set(id, data, done), 2);
  }

  override touch(id: string, data: SessionData, done?: () => void): void {
    setTimeout(() => super.touch(id, data, done), 2);
  }
}

/** Middlewares that hold every reply back: the first sends its headers at once, the second keeps everything. */
const delays: Readonly<Record<string, () => RequestHandler>> = {
  "express-session": () =>
    session({ secret: "x", resave: true, saveUninitialized: true, store: new LaterStore() }),
  "a middleware that calls end later": () => (_request, response, next) => {
    const end: unknown = response.end;
    let called = false;
    const later = (...args: unknown[]): Response => {
      if (!called) setTimeout(() => Reflect.apply(end as typeof response.end, response, args), 2);
      called = true;
      return response;
    };
    Object.assign(response, { end: later });
    next();
  },
};

const views = fileURLToPath(new URL("views", import.meta.url));

const replies: Framework<Request, Response>["replies"] = [
  { name: "json", send: (response) => void response.status(402).json("own"), status: 402, text: '"own"' },
  { name: "end", send: (response) => response.status(202).end("own"), status: 202, text: "own" },
  { name: "an empty end", send: (response) => void response.status(204).end(), status: 204, text: "" },
  {
    name: "write and end",
    send: (response) => {
      response.status(203).write("o");
      response.end("wn");
    },
    status: 203,
    text: "own",
  },
  {
    name: "a promise",
    send: async (response) => {
      await Promise.resolve();
      return response.status(451).send("own");
    },
    status: 451,
    text: "own",
  },
  {
    name: "sendFile",
    send: (response) => void response.status(202).sendFile(`${views}/view.txt`),
    status: 202,
    text: "anything",
  },
  {
    name: "render",
    send: (response) => void response.status(451).render("view"),
    status: 451,
    text: "rendered",
  },
  {
    name: "a stream",
    send: (response) => void Readable.from(["own"]).pipe(response.status(202)),
    status: 202,
    text: "own",
  },
  { name: "a redirect", send: (response) => response.redirect("/elsewhere"), status: 302, text: "" },
];

type Add = (
  options: OneDecision<Request, Response>,
  around: Surroundings<Request, Response>,
) => RequestHandler;

function framework({ name, express, adapter }: ExpressVersion): Framework<Request, Response> {
  // The suites also give what only JavaScript hosts can write.
  type Guard = Parameters<typeof adapter.createDecisionGuard>[0];
  type Middleware = Parameters<typeof adapter.createDecisionMiddleware>[0];
  type Router = Parameters<typeof adapter.createDecisionRouter>[0];
  const single = (options: object) => adapter.createDecisionMiddleware(options as Middleware);
  const guard = (options: object) => adapter.createDecisionGuard(options as Guard);
  const handler = ({ entered, behind }: Surroundings<Request, Response>): RequestHandler =>
    behind === undefined
      ? (incoming, response) => {
          entered(incoming);
          response.send("the handler behind");
        }
      : single(behind);

  const ways: Readonly<Record<string, Add>> = {
    createDecisionRouter: ({ decision, ...options }) =>
      adapter.createDecisionRouter({ decisions: [decision], ...options } as unknown as Router),
    createDecisionMiddleware: (options, around) =>
      express.Router().post("/:id", single(options), handler(around)),
    createDecisionGuard: (options, around) =>
      express.Router().post("/:id", express.json(), guard(options), handler(around)),
    "createDecisionGuard of a router": (options, around) =>
      express.Router().use(express.json(), guard(options)).post("/:id", handler(around)),
    "createDecisionGuard of an application": (options, around) =>
      express().use(express.json(), guard(options)).post("/:id", handler(around)),
  };

  function mount(
    way: string,
    options: OneDecision<Request, Response>,
    around: Surroundings<Request, Response>,
  ): App {
    const app = express();
    app.engine("txt", (_path, _options, done) => setTimeout(done, 2, null, "rendered"));
    app.set("view engine", "txt").set("views", views);
    const holdBack = delays[around.delay ?? ""];
    if (holdBack !== undefined) app.use(holdBack());
    app.use((incoming, response, next) => {
      around.before?.(incoming, response);
      next();
    });
    const add = ways[way];
    if (add === undefined) throw new Error(`There is no ${way}`);
    app.use(add(options, around));
    const { onError } = around;
    if (onError !== undefined) {
      const own: ErrorRequestHandler = (error, incoming, response, next) => {
        const status = onError(error, incoming);
        if (response.headersSent) next(error);
        else response.status(status).send("the host's");
      };
      app.use(own);
    }
    let server: Server | undefined;
    return {
      async send(id, headers, body) {
        const call = request(app).post(`/${id}`).set(headers).redirects(0).buffer(true);
        const reply = await (body === undefined
          ? call
          : call
              .set("content-type", "application/json")
              .serialize((text) => text)
              .send(body));
        return { status: reply.status, headers: reply.headers, body: reply.text };
      },
      async listen() {
        server = app.listen(0, "127.0.0.1");
        await once(server, "listening");
        return server;
      },
      close: () => void server?.close(),
    };
  }

  return {
    name,
    // As a promise, so that wrong options reject.
    mount: async (...args) => mount(...args),
    ways: {
      set: "createDecisionRouter",
      one: ["createDecisionMiddleware"],
      guard: [
        "createDecisionGuard",
        "createDecisionGuard of a router",
        "createDecisionGuard of an application",
      ],
    },
    delays: Object.keys(delays),
    replies,
    reply: (response, status, text) => void response.status(status).type("text").end(text),
    setHeader: (response, header, value) => void response.setHeader(header, value),
    isSent: (response) => response.headersSent,
    decision: (incoming) => incoming.decision,
    raw: (incoming) => incoming,
  };
}

/** Express, in each version that the adapter promises to work with. */
export const expressFrameworks = (await expressVersions()).map(framework);
