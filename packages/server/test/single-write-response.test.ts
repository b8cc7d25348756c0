import { once } from "node:events";
import { createServer, type RequestListener, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it } from "vitest";
import { SingleWriteResponse } from "../src/single-write-response.js";

const text = JSON.stringify({ name: "Zoë", pair: "😀" });
const head = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
const latin1 = { "content-length": Buffer.byteLength("é", "latin1") };

const handlers: Readonly<Record<string, RequestListener>> = {
  "a head and a text": (_request, response) => response.writeHead(200, head).end(text),
  "a text without a head": (_request, response) => response.end(text),
  "a head without a length": (_request, response) => response.writeHead(200).end(text),
  "an encoding": (_request, response) => response.writeHead(200, latin1).end("é", "latin1"),
  bytes: (_request, response) => response.writeHead(200, head).end(Buffer.from(text)),
  nothing: (_request, response) => response.writeHead(200, { "content-length": 0 }).end(),
  "an empty text": (_request, response) => response.writeHead(200, { "content-length": 0 }).end(""),
  "no content": (_request, response) => response.writeHead(204).end(),
  "a text that no reply of its status has": (_request, response) => response.writeHead(304).end(text),
  parts: (_request, response) => {
    response.writeHead(200, head).write(text.slice(0, 4));
    response.end(text.slice(4));
  },
  "a text later": (_request, response) => {
    setTimeout(() => response.writeHead(200, head).end(text), 10);
  },
  "a long text": (_request, response) => response.writeHead(200).end("ä".repeat(3_000_000)),
};

const requests = {
  "one request": "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
  "a request without a body in its reply": "HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
  "three requests at once": `${"GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2)}GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  "an old client": "GET / HTTP/1.0\r\n\r\n",
} as const;

/** All that a server sends for a text on one connection. */
async function bytes(Response: typeof ServerResponse, handler: RequestListener, request: string) {
  const server = createServer({ ServerResponse: Response }, (incoming, response) => {
    response.sendDate = false;
    handler(incoming, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(request));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  await once(socket, "end");
  server.close();
  return Buffer.concat(chunks).toString("latin1");
}

describe.each(Object.entries(requests))("%s", (_name, request) => {
  it.each(Object.entries(handlers))("gets what Node's own response sends for %s", async (_what, handler) => {
    const [own, nodes] = await Promise.all(
      [SingleWriteResponse, ServerResponse].map((Response) => bytes(Response, handler, request)),
    );
    expect(own).toMatch(/^HTTP\/1\.1 /);
    expect(own === nodes, `${own?.slice(0, 500)}\n${nodes?.slice(0, 500)}`).toBe(true);
  });
});

it("tells who waits for the end", async () => {
  const ended = new Promise<void>((resolve) => {
    const handler: RequestListener = (_request, response) => response.writeHead(200, head).end(text, resolve);
    void bytes(SingleWriteResponse, handler, requests["one request"]);
  });
  await ended;
});
