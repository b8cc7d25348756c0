import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Connections } from "../../src/connections/connection.js";
import { createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
import { decisions, profiles } from "../support/decisions.js";
import { bind, get, open, post, readUntilEnd } from "./raw-client.js";

const maxConnectionAgeMs = 1_000_000;

let server: DecisionServer;
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

const now = performance.now.bind(performance);

/** Every connection that was opened before becomes older by a share of the limit. */
function passTime(share: number): void {
  vi.restoreAllMocks();
  vi.spyOn(performance, "now").mockImplementation(() => now() + share * maxConnectionAgeMs);
}

/** A connection that is as old as it may become. */
async function openAged(options: Partial<ServerOptions> = {}, add = (_server: DecisionServer): void => {}) {
  server = createServer({ decisions, profiles, logger: false, maxConnectionAgeMs, ...options });
  add(server);
  const port = await bind(server);
  const [socket] = await Promise.all([open(port), once(server.handler.server, "connection")]);
  passTime(1);
  return { socket, port };
}

const path = "/decisions/outcomes";
const body = JSON.stringify({ input: { end: "ok" } });

describe("a connection that has reached its age", () => {
  it.each([
    ["GET", get("/health/live"), "GET"],
    ["HEAD", get("/health/live").replace("GET", "HEAD"), "HEAD"],
    ["an evaluation", post(path, body), "POST"],
    ["a refusal", post("/decisions/none", body), "POST"],
    ["an expectation", post(path, body, "expect: wonders\r\n"), "POST"],
  ])("ends after its next reply, which says so: %s", async (_what, request, method) => {
    const { socket } = await openAged();
    const received = readUntilEnd(socket, [method]);
    socket.write(request);
    const { replies, rest } = await received;
    expect(replies.map(({ headers }) => headers.get("connection"))).toEqual(["close"]);
    expect(rest).toBe("");
  });

  it("still gets a reply to each request that came with its last one, in order, and only the last says so", async () => {
    for (const request of [get("/health/live"), post(path, body)]) {
      const { socket } = await openAged();
      const received = readUntilEnd(socket);
      socket.write(request.repeat(20));
      const { replies, rest } = await received;
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      const said = replies.map(({ headers }) => headers.get("connection"));
      expect(said).toEqual([...Array(19).fill("keep-alive"), "close"]);
      expect(rest).toBe("");
      vi.restoreAllMocks();
      await server.close();
    }
  });

  it("is answered in full when the client has already finished sending", async () => {
    const { socket } = await openAged();
    const received = readUntilEnd(socket);
    socket.end(post(path, body));
    expect((await received).replies.map(({ status }) => status)).toEqual([200]);
  });

  it("evaluates nothing that comes after the request whose reply ends it", async () => {
    let entered = 0;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const beforeEvaluate = (): Promise<void> => {
      entered += 1;
      return released;
    };
    const { socket } = await openAged({ hooks: { beforeEvaluate } });
    socket.write(post(path, body));
    await expect.poll(() => entered).toBe(1);
    const more = once(server.handler.server, "request");
    socket.write(post(path, body));
    await more;
    const received = readUntilEnd(socket);
    release();
    const { replies } = await received;
    expect(replies.map(({ headers }) => headers.get("connection"))).toEqual(["close"]);
    expect(entered).toBe(1);
  });

  it("is not cut while a long reply leaves: the stream ends as usual, then the connection", async () => {
    const { socket } = await openAged();
    const received = readUntilEnd(socket);
    const line = `${JSON.stringify({ end: "ok" })}\n`;
    const head = `POST ${path}/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n`;
    const chunk = `${line.length.toString(16)}\r\n${line}\r\n`;
    socket.write(head + chunk);
    await once(socket, "data");
    // It has long been over age.
    passTime(10);
    socket.write(chunk);
    await once(socket, "data");
    socket.write("0\r\n\r\n");
    const { replies, rest } = await received;
    expect(replies[0]?.headers.get("connection")).toBe("close");
    expect(replies[0]?.body.trimEnd().split("\n").at(-1)).toBe('{"done":true,"count":2}');
    expect(rest).toBe("");
  });
});

it("a younger connection stays, and a stream that began in time is followed by one more reply", async () => {
  server = createServer({ decisions, profiles, logger: false, maxConnectionAgeMs });
  const port = await bind(server);
  const [socket] = await Promise.all([open(port), once(server.handler.server, "connection")]);
  passTime(0.74);
  const received = readUntilEnd(socket);
  socket.write(get("/health/live"));
  await once(socket, "data");
  const line = `${JSON.stringify({ end: "ok" })}\n`;
  const taken = once(server.handler.server, "request");
  socket.write(
    `POST ${path}/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${line.length}\r\n\r\n`,
  );
  await taken;
  passTime(1);
  socket.write(line);
  socket.write(get("/health/live"));
  const { replies } = await received;
  expect(replies.map(({ headers }) => headers.get("connection"))).toEqual([
    "keep-alive",
    "keep-alive",
    "close",
  ]);
});

it("connections that are opened together get ages between three quarters of the limit and the whole", () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const connections = new Connections(1000);
  const http = createHttpServer();
  connections.watch(http);
  for (let count = 0; count < 1000; count += 1) http.emit("connection", new Socket());
  const ages = [...connections.all()].map(({ endsAtMs }) => endsAtMs);
  expect(Math.min(...ages)).toBeGreaterThanOrEqual(750);
  expect(Math.max(...ages)).toBeLessThanOrEqual(1000);
  // No tenth of the range has more than three times its share.
  const tenths = ages.map((age) => Math.min(9, Math.floor((age - 750) / 25)));
  for (let tenth = 0; tenth < 10; tenth += 1) {
    expect(tenths.filter((each) => each === tenth).length).toBeLessThan(300);
  }
});
