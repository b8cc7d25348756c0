import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServer } from "../../src/index.js";
import { gate, LineClient, linesOf, listening, nextOf, noted, summary } from "./service.js";

/** Sends a body in one piece. */
async function post(payload: string, headers: Readonly<Record<string, string>> = {}, options = {}) {
  const { handler } = createServer({ decisions: [noted], logger: false, ...options });
  const ndjson = { "content-type": "application/x-ndjson", ...headers };
  const url = "/decisions/noted/batch";
  const reply = await handler.inject({ method: "POST", url, payload, headers: ndjson });
  return { status: reply.statusCode, headers: reply.headers, lines: reply.payload.split("\n").slice(0, -1) };
}

const summaries = async (payload: string, options = {}) =>
  (await post(payload, {}, options)).lines.map(summary);

describe("lines", () => {
  it("are answered by lines, in order, and the last one has the count", async () => {
    const { status, headers, lines } = await post(linesOf(1, 13, 2));
    expect({ status, contentType: headers["content-type"] }).toEqual({
      status: 200,
      contentType: "application/x-ndjson",
    });
    expect(headers["x-request-id"]).toBeTypeOf("string");
    expect(lines.map(summary)).toEqual([1, "EVALUATION_FAILED", 2, "done 3"]);
    expect(lines.at(-1)).toBe('{"done":true,"count":3}');
    const { handler } = createServer({ decisions: [noted], logger: false });
    const single = await handler.inject({
      method: "POST",
      url: "/decisions/noted",
      payload: { input: { n: 1 } },
    });
    expect({ ...JSON.parse(lines[0] ?? ""), meta: {} }).toEqual({ ...single.json(), meta: {} });
  });

  it("that are no input are answered in their place", async () => {
    const text = `${linesOf(1)}nonsense\n\n{"n":"x"}\n{"__proto__":1}\r\n"text"\n${linesOf(2)}`;
    expect(await summaries(text)).toEqual([
      1,
      "INVALID_JSON",
      "INVALID_JSON",
      "INVALID_INPUT",
      "FORBIDDEN_KEY",
      "INVALID_INPUT",
      2,
      "done 7",
    ]);
  });

  it("may be none, end without a newline, or end as Windows ends them", async () => {
    expect(await summaries("")).toEqual(["done 0"]);
    expect(await summaries('{"n":1}\n{"n":2}')).toEqual([1, 2, "done 2"]);
    expect(await summaries('{"n":1}\r\n{"n":2}\r\n')).toEqual([1, 2, "done 2"]);
  });

  it("that are not UTF-8 are no JSON, wherever they are cut", async () => {
    const { port } = await listening();
    const bytes = Buffer.concat([
      Buffer.from('{"n":1,"note":"\ufffd"}\n{"n":2,"note":"'),
      Buffer.from([0xe2, 0x82]),
      Buffer.from('"}\n{"n":3,"note":"€"}'),
    ]);
    for (const size of [1, 7, bytes.length]) {
      const client = new LineClient(port);
      for (let start = 0; start < bytes.length; start += size) {
        client.request.write(bytes.subarray(start, start + size));
      }
      client.request.end();
      const found: unknown[] = [];
      for await (const line of client.lines()) found.push(summary(line));
      expect(found).toEqual([1, "INVALID_JSON", 3, "done 3"]);
    }
  });

  it("that are too long are faults, and the body as a whole may be longer", async () => {
    const long = `{"n":1,"note":"${"x".repeat(100)}"}\n`;
    expect(await summaries(linesOf(1) + long + linesOf(2, 3, 4), { bodyLimit: 20 })).toEqual([
      1,
      "BODY_TOO_LARGE",
      2,
      3,
      4,
      "done 5",
    ]);
  });

  it("may be more than a batch has", async () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => 100 + index);
    expect(await summaries(linesOf(...numbers), { maxBatch: 2 })).toEqual([...numbers, "done 5000"]);
  });

  it("are refused as a whole where the decision, the caller or the coding is", async () => {
    const { handler } = createServer({ decisions: [noted], authenticate: () => false, logger: false });
    const headers = { "content-type": "application/x-ndjson" };
    const reply = await handler.inject({
      method: "POST",
      url: "/decisions/noted/batch",
      payload: "1\n",
      headers,
    });
    expect(reply.statusCode).toBe(401);
    expect((await post("1\n", { "content-encoding": "gzip" })).status).toBe(415);
    const unknown = createServer({ decisions: [noted], logger: false }).handler;
    const nobody = await unknown.inject({
      method: "POST",
      url: "/decisions/nobody/batch",
      payload: "1\n",
      headers,
    });
    expect({ statusCode: nobody.statusCode, code: nobody.json().code }).toEqual({
      statusCode: 404,
      code: "DECISION_NOT_FOUND",
    });
  });
});

describe("a stream of lines", () => {
  it("answers each line when it comes, on one connection", async () => {
    const { port } = await listening();
    const client = new LineClient(port);
    const lines = client.lines();
    for (const n of [1, 2, 3]) {
      client.write(linesOf(n));
      expect(await nextOf(lines)).toMatchObject({ status: "OK", data: { n } });
    }
    client.write('{"n":');
    client.request.end("4}");
    expect(await nextOf(lines)).toMatchObject({ data: { n: 4 } });
    expect(await nextOf(lines)).toEqual({ done: true, count: 4 });
    expect(await lines.next()).toMatchObject({ done: true });
  });

  it("has hooks for each line, which keep their order", async () => {
    const waiting: (() => void)[] = [];
    const beforeEvaluate = () => new Promise<void>((resolve) => waiting.push(resolve));
    const { port } = await listening({ hooks: { beforeEvaluate } });
    const client = new LineClient(port);
    client.request.end(linesOf(1, 2, 3));
    await expect.poll(() => waiting).toHaveLength(3);
    for (const release of waiting.toReversed()) release();
    const found: unknown[] = [];
    for await (const line of client.lines()) found.push(summary(line));
    expect(found).toEqual([1, 2, 3, "done 3"]);
  });

  it("goes on for longer than a request may take to arrive, but no longer than that without a byte", async () => {
    const requestTimeoutMs = 400;
    const { server, port } = await listening({ requestTimeoutMs });
    const client = new LineClient(port);
    const lines = client.lines();
    const began = performance.now();
    // Node looks for late requests at least four times in this time, and the connection has been late ever since.
    for (let n = 100; performance.now() - began < 4 * requestTimeoutMs; n += 1) {
      client.write(linesOf(n));
      expect(await nextOf(lines)).toMatchObject({ data: { n } });
    }
    expect(await nextOf(lines)).toEqual({
      error: "Request took too long to arrive",
      code: "REQUEST_TIMEOUT",
    });
    expect(await lines.next()).toMatchObject({ done: true });
    // The connection ends, and the next one is as good as any.
    await expect.poll(() => openConnections(server)).toBe(0);
    const next = new LineClient(port);
    next.request.end(linesOf(1));
    expect(await nextOf(next.lines())).toMatchObject({ data: { n: 1 } });
  });

  it("goes on for any time behind another one on its connection", async () => {
    const requestTimeoutMs = 400;
    const { port } = await listening({ requestTimeoutMs });
    const { socket, received } = await open(port);
    const began = performance.now();
    socket.write(`${streamHead}${chunk(linesOf(1))}0\r\n\r\n${streamHead}`);
    for (let n = 100; performance.now() - began < 4 * requestTimeoutMs; n += 1) {
      socket.write(chunk(linesOf(n)));
      await expect.poll(received, { interval: 10 }).toContain(`"data":{"n":${n},`);
    }
    socket.write("0\r\n\r\n");
    await expect.poll(received).toMatch(/"count":1}.*"count":\d\d/s);
  });

  it("that ended early keeps what follows from being evaluated: it would get no reply", async () => {
    const seen: unknown[] = [];
    const { server, port } = await listening({
      requestTimeoutMs: 200,
      hooks: { beforeEvaluate: ({ input }) => void seen.push(input) },
    });
    const { socket, received } = await open(port);
    socket.write(streamHead + chunk(linesOf(1)));
    await expect.poll(received, { interval: 10 }).toContain("REQUEST_TIMEOUT");
    const next = '{"inputs":[{"n":2}]}';
    const head = `${path}content-type: application/json\r\ncontent-length: ${next.length}\r\n\r\n`;
    socket.write(`0\r\n\r\n${head}${next}`);
    await expect.poll(() => openConnections(server)).toBe(0);
    expect(seen).toEqual([{ n: 1 }]);
  });

  it("may be injected, and time out as any", async () => {
    const { handler } = createServer({ decisions: [noted], logger: false, requestTimeoutMs: 20 });
    const payload = new Readable({ read() {} });
    payload.push(linesOf(1));
    const reply = await handler.inject({
      method: "POST",
      url: "/decisions/noted/batch",
      payload,
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(reply.payload.split("\n").slice(0, -1).map(summary)).toEqual([1, "REQUEST_TIMEOUT"]);
  });

  it("ends with an error while the server closes, instead of the count", async () => {
    const { server, port } = await listening({ closeTimeoutMs: 1000, requestTimeoutMs: 600_000 });
    const client = new LineClient(port);
    const lines = client.lines();
    client.write(linesOf(1));
    expect(await nextOf(lines)).toMatchObject({ data: { n: 1 } });
    const closed = server.close();
    expect(await nextOf(lines)).toEqual({ error: "Server is closing", code: "SERVER_CLOSING" });
    expect(await lines.next()).toMatchObject({ done: true });
    await closed;
  });

  it("evaluates no more lines after that, even those that have arrived", async () => {
    const { waiting, release, options } = gate();
    const { server, port } = await listening({ ...options, closeTimeoutMs: 2000, requestTimeoutMs: 600_000 });
    const idle = new LineClient(port);
    const working = new LineClient(port);
    working.request.end(linesOf(...Array.from({ length: 200 }, () => 1)));
    await expect.poll(() => waiting.length).toBe(64);
    const closed = server.close();
    expect(await nextOf(idle.lines())).toMatchObject({ code: "SERVER_CLOSING" });
    release();
    const found: unknown[] = [];
    for await (const line of working.lines()) found.push(summary(line));
    expect(found).toEqual([...Array.from({ length: 64 }, () => 1), "SERVER_CLOSING"]);
    await closed;
  });

  it("does not wait for a place either once the server closes", async () => {
    const { waiting, release, options } = gate();
    const { server, port } = await listening({
      ...options,
      overload: { maxConcurrent: 1 },
      closeTimeoutMs: 2000,
      requestTimeoutMs: 600_000,
    });
    const client = new LineClient(port).write(linesOf(1));
    const lines = client.lines();
    await expect.poll(() => waiting.length).toBe(1);
    release();
    expect(await nextOf(lines)).toMatchObject({ data: { n: 1 } });
    const payload = { input: { n: 3 } };
    const single = server.handler.inject({ method: "POST", url: "/decisions/noted", payload });
    await expect.poll(() => waiting.length).toBe(1);
    // Without a newline: the body has been read to its end when this line is found.
    client.request.end('{"n":2}');
    const closed = server.close();
    expect(await nextOf(lines)).toMatchObject({ code: "SERVER_CLOSING" });
    expect(await lines.next()).toMatchObject({ done: true });
    release();
    await single;
    await closed;
  });
});

const path = "POST /decisions/noted/batch HTTP/1.1\r\nhost: x\r\n";
const streamHead = `${path}content-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n`;

/** One piece of a chunked body. */
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** A connection, and what has been received on it. */
async function open(port: number) {
  // As a client that goes on sending when the service has ended its side.
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  return { socket, received: () => text };
}

function openConnections({ handler }: { readonly handler: ReturnType<typeof createServer>["handler"] }) {
  return new Promise((resolve) => handler.server.getConnections((_error, count) => resolve(count)));
}
