import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKeys, createServer, type DecisionServer } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";
import { fakeMetrics, fakeOpenAPI } from "./support/fake-features.js";

/** Invalid bodies of every kind, and no body. */
const bodies: readonly (readonly [what: string, type: string | undefined, content: string])[] = [
  ["no body", undefined, ""],
  ["JSON", "application/json", '{"input":{}}'],
  ["malformed JSON", "application/json", "{"],
  ["a forbidden key", "application/json", '{"__proto__":1}'],
  ["no input", "application/json", "{}"],
  ["too much", "application/json", `"${"x".repeat(200)}"`],
  ["text", "text/plain", "x"],
  ["a form", "application/x-www-form-urlencoded", "a=b"],
  ["an invalid type", "nonsense", "x"],
  ["no type", undefined, "x"],
];

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "QUERY", "TRACE"];

let server: DecisionServer;
let secured: DecisionServer;

beforeAll(async () => {
  const options = {
    decisions,
    profiles,
    logger: false,
    bodyLimit: 100,
    cors: false,
    metrics: fakeMetrics(),
    openapi: fakeOpenAPI(),
  };
  server = createServer(options);
  secured = createServer({ ...options, authenticate: apiKeys({ keys: ["k"] }) });
  for (const { handler } of [server, secured]) await handler.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await Promise.all([server.close(), secured.close()]);
});

/** Over a socket, because `inject` does not support every method. */
async function ask(
  { handler }: DecisionServer,
  method: string,
  path: string,
  [, type, content]: (typeof bodies)[number],
): Promise<{ readonly status: number; readonly head: string; readonly body: string }> {
  const socket = connect(Number(new URL(handler.listeningOrigin).port), "127.0.0.1");
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: a",
    "Connection: close",
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ...(content === "" ? [] : [`Content-Length: ${content.length}`]),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n${content}`);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  return { status: Number(head.slice(9, 12)), head, body };
}

/** Leaves out methods that this version of Node cannot read. */
async function readableMethods(): Promise<readonly string[]> {
  const known = await Promise.all(
    methods.map(
      async (method) => (await ask(server, method, "/nowhere", ["", undefined, ""])).status === 404,
    ),
  );
  return methods.filter((_method, index) => known[index]);
}

it("reads the methods of this test, except for those that Node does not know", async () => {
  expect((await readableMethods()).length).toBeGreaterThanOrEqual(8);
});

describe.each(bodies)("with any body: %s", (...body) => {
  const [, , content] = body;

  it("an unknown route is 404", async () => {
    for (const method of await readableMethods()) {
      for (const path of ["/nowhere", "/decisions/", "/decisions/outcomes/nothing", "/Metrics"]) {
        const reply = await ask(server, method, path, body);
        expect({ method, path, status: reply.status }).toEqual({ method, path, status: 404 });
        if (method !== "HEAD") expect(JSON.parse(reply.body).code).toBe("ROUTE_NOT_FOUND");
      }
    }
  });

  it("a wrong method is 405 with Allow", async () => {
    const known: readonly (readonly [path: string, allowed: readonly string[]])[] = [
      ["/", ["GET", "HEAD"]],
      ["/health/ready", ["GET", "HEAD"]],
      ["/metrics", ["GET", "HEAD"]],
      ["/openapi.json", ["GET", "HEAD"]],
      ["/swagger", ["GET", "HEAD"]],
      ["/docs", ["GET", "HEAD"]],
      ["/decisions", ["GET", "HEAD"]],
      ["/decisions/outcomes", ["POST"]],
      ["/decisions/outcomes/schema", ["GET", "HEAD"]],
      ["/decisions/outcomes/endpoint-schema", ["GET", "HEAD"]],
    ];
    for (const [path, allowed] of known) {
      for (const method of (await readableMethods()).filter((name) => !allowed.includes(name))) {
        const reply = await ask(server, method, path, body);
        expect({ method, path, status: reply.status }).toEqual({ method, path, status: 405 });
        expect(reply.head).toContain(`\r\nallow: ${allowed.join(", ")}\r\n`);
        if (method !== "HEAD") expect(JSON.parse(reply.body).code).toBe("METHOD_NOT_ALLOWED");
      }
    }
  });

  it("an unknown decision is 404, for any method", async () => {
    for (const method of await readableMethods()) {
      for (const rest of ["", "/schema", "/endpoint-schema", "?a=b"]) {
        const reply = await ask(server, method, `/decisions/nobody${rest}`, body);
        expect({ method, rest, status: reply.status }).toEqual({ method, rest, status: 404 });
        if (method === "HEAD") continue;
        expect(JSON.parse(reply.body)).toEqual({
          error: "Decision not found: nobody",
          code: "DECISION_NOT_FOUND",
        });
      }
    }
  });

  it("a missing key is reported before anything else", async () => {
    for (const method of await readableMethods()) {
      for (const path of ["/nowhere", "/decisions", "/decisions/outcomes", "/decisions/nobody"]) {
        expect({ method, path, status: (await ask(secured, method, path, body)).status }).toEqual({
          method,
          path,
          status: 401,
        });
      }
    }
  });

  it("a known decision checks the body", async () => {
    const reply = await ask(server, "POST", "/decisions/outcomes", body);
    expect([400, 413, 415]).toContain(reply.status);
    expect(reply.status === 400 || content !== "").toBe(true);
  });
});
