import { once } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { ErrorRequestHandler } from "express";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { turn } from "../../../test/suites/gate.js";
import { access, loan } from "./decisions.js";
import { expressVersions } from "./express-versions.js";
import { recording } from "./recording.js";

const versions = await expressVersions();
const unhandled: unknown[] = [];
const collect = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => {
  process.on("unhandledRejection", collect);
  process.on("uncaughtException", collect);
});
afterAll(() => {
  process.off("unhandledRejection", collect);
  process.off("uncaughtException", collect);
  expect(unhandled).toEqual([]);
});

let server: Server | undefined;
afterEach(() => void server?.close());

async function listen(app: RequestListener): Promise<number> {
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Sends the beginning of a request, and hangs up when told. */
async function cut(port: number, text: string, when: Promise<unknown>): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  await when;
  socket.destroy();
}

const connections = (): Promise<number> =>
  new Promise((resolve) => server?.getConnections((_error, count) => resolve(count)));
const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
/** Resolves when the server has seen the client go. */
const gone = (request: IncomingMessage): Promise<unknown> => once(request.socket, "close");

describe.each(versions)("clients that hang up, $name", ({ express, adapter }) => {
  it("within the body: nothing is evaluated, nothing is left, the next one is served", async () => {
    const { options, counted, errors } = recording();
    const port = await listen(express().use(adapter.createDecisionRouter({ decisions: [loan], ...options })));
    if (server === undefined) throw new Error("not listening");
    await cut(port, `${head("/loan", 100)}{"score":`, once(server, "request"));
    const reply = await fetch(`http://127.0.0.1:${port}/loan`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"score":700}',
    });
    expect(reply.status).toBe(200);
    await expect
      .poll(() => {
        server?.closeIdleConnections();
        return connections();
      })
      .toBe(0);
    expect([counted(), errors]).toEqual([["OK"], []]);
  });

  it.each([
    ["returns", false, "OK"],
    ["fails", true, "ERROR"],
  ])("before a resolver %s: counted once, nothing thrown", async (_name, fails, status) => {
    const { options, counted } = recording();
    let entered: (() => void) | undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const app = express();
    const profileResolver = async (request: IncomingMessage) => {
      entered?.();
      await gone(request);
      if (fails) throw new Error("boom");
      return {};
    };
    app.post("/loan", adapter.createDecisionMiddleware({ decision: loan, ...options, profileResolver }));
    const onError: ErrorRequestHandler = (_error, _request, response, _next) => {
      response.status(500).send("the host's");
    };
    app.use(onError);
    const port = await listen(app);
    const body = '{"score":700}';
    await cut(port, head("/loan", body.length) + body, inside);
    await expect.poll(counted).toEqual([status]);
    await turn();
  });

  it("before a guard has decided: the request is still denied", async () => {
    const { options, counted } = recording();
    let entered = 0;
    let begun: (() => void) | undefined;
    const inside = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const inputMapper = async (request: IncomingMessage) => {
      begun?.();
      await gone(request);
      return { role: "guest" };
    };
    const app = express();
    app.post("/", adapter.createDecisionGuard({ decision: access, ...options, inputMapper }));
    app.post("/", (_request, response) => {
      entered += 1;
      response.send("in");
    });
    const port = await listen(app);
    await cut(port, head("/", 0), inside);
    await expect.poll(counted).toEqual(["OK"]);
    await turn();
    expect(entered).toBe(0);
  });
});
