import { defineDecision } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createServer, type DecisionServer } from "../src/index.js";
import { broken, outcomes } from "./support/decisions.js";
import { fixedClock } from "./support/fixed-clock.js";
import { input, quote1, quote2 } from "./support/quotes.js";
import { RawClient } from "./support/raw-client.js";

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const accented = defineDecision({
  id: "accented",
  version: "1.0.0",
  inputSchema: z.unknown(),
  outputSchema: z.string(),
  profileSchema: z.unknown(),
  rules: [{ id: "always", when: () => true, emit: () => "Zoë, 東京", explain: "é" }],
});

function make(prepare: (app: FastifyInstance) => void = () => {}): DecisionServer {
  const server = createServer({
    decisions: [quote1, quote2, outcomes, broken, accented],
    versions: {
      quote: {
        default: "2.0.0",
        deprecated: { "1.0.0": { since: "2026-01-31", link: "https://example.com/1" } },
      },
    },
    profiles: { outcomes: { limit: 100 } },
    clock: fixedClock,
    logger: false,
    docs: false,
    overload: { maxConcurrent: 1 },
  });
  open.push(server);
  prepare(server.handler);
  return server;
}

type Ask = readonly [url: string, payload: unknown, headers?: Readonly<Record<string, string>>];

const asked: readonly Ask[] = [
  ["/decisions/outcomes", { input: { end: "ok" } }],
  ["/decisions/outcomes", { input: 5 }, { "x-request-id": "mine", origin: "https://a.example" }],
  ["/decisions/quote", { input }],
  ["/decisions/quote/versions/1.0.0", { input }],
  ["/decisions/broken", { input: {} }],
  ["/decisions/accented", { input: 1 }],
  ["/decisions/outcomes", { nothing: 1 }],
  ["/decisions/absent", { input }],
];

/** Everything of a reply that depends on neither the moment nor the call. */
async function ask({ handler }: DecisionServer, [url, payload, headers = {}]: Ask) {
  const id = { "x-request-id": "a-request" };
  const reply = await handler.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...id, ...headers },
    payload: JSON.stringify(payload),
  });
  const { date: _, ...sent } = reply.headers;
  return { status: reply.statusCode, headers: sent, body: reply.body };
}

describe("a reply is the same", () => {
  it.each(asked.map((one) => ({ one })))(
    "with a hook of the host's that does nothing, and without: $one",
    async ({ one }) => {
      const hooked = make((app) => app.addHook("onSend", async () => undefined));
      expect(await ask(make(), one)).toEqual(await ask(hooked, one));
    },
  );
});

describe("a reply that takes Fastify's way has the headers of every reply", () => {
  const fixed = { "x-content-type-options": "nosniff", "x-request-id": "a-request" };

  it.each(["/decisions", "/health/live", "/absent", "/decisions/%zz", "/own"])("GET %s", async (url) => {
    const { handler } = make((app) => app.get("/own", async () => ({ own: true })));
    const reply = await handler.inject({ url, headers: { "x-request-id": "a-request" } });
    expect(reply.headers).toMatchObject({ ...fixed, "x-frame-options": "DENY" });
  });

  it("unless a route has set its own", async () => {
    const { handler } = make((app) =>
      app.get("/own", async (_request, reply) => reply.header("cache-control", "max-age=60").send("kept")),
    );
    const reply = await handler.inject({ url: "/own", headers: { "x-request-id": "a-request" } });
    expect(reply.headers).toMatchObject({ ...fixed, "cache-control": "max-age=60" });
  });

  it("which hooks of the host can read and replace from the start", async () => {
    const { handler } = make((app) =>
      app.addHook("onRequest", async (_request, reply) => {
        reply.header("x-mark", reply.getHeader("x-request-id"));
        reply.removeHeader("x-frame-options");
      }),
    );
    const reply = await handler.inject({ url: "/decisions", headers: { "x-request-id": "a-request" } });
    expect(reply.headers).toMatchObject({ ...fixed, "x-mark": "a-request" });
    expect(reply.headers).not.toHaveProperty("x-frame-options");
  });
});

it("has the length of its bytes, and a connection stays in step", async () => {
  const server = make();
  const address = new URL(await server.listen(0));
  const client = await RawClient.open(Number(address.port));
  const body = JSON.stringify({ input: 1 });
  const request = `POST /decisions/accented HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  client.send(request + request);
  await client.until(/HTTP[\s\S]*HTTP[\s\S]*\r\n\r\n[\s\S]*\}$/);
  client.socket.destroy();
  const replies = client.received.split(/(?=HTTP\/1\.1 )/);
  expect(replies).toHaveLength(2);
  for (const reply of replies) {
    // Each character is a byte.
    const [head = "", bytes = ""] = reply.split("\r\n\r\n");
    expect(head).toContain(`content-length: ${bytes.length}`);
    expect(JSON.parse(Buffer.from(bytes, "latin1").toString())).toMatchObject({ data: "Zoë, 東京" });
  }
});

describe("a hook of the host's sees the replies of evaluations", () => {
  const mark = async (_request: unknown, reply: { header(name: string, value: string): unknown }) => {
    reply.header("x-mark", "set");
  };
  const ways: readonly (readonly [string, (app: FastifyInstance) => void])[] = [
    ["onSend", (app) => app.addHook("onSend", mark)],
    ["onRequest", (app) => app.addHook("onRequest", mark)],
    ["preHandler", (app) => app.addHook("preHandler", mark)],
    [
      "onSend of each route, from onRoute",
      (app) =>
        app.addHook("onRoute", (route) => {
          route.onSend = mark;
        }),
    ],
    [
      "onSend of a plugin without a scope",
      (app) => {
        const plugin = async (inner: FastifyInstance) => void inner.addHook("onSend", mark);
        app.register(Object.assign(plugin, { [Symbol.for("skip-override")]: true }));
      },
    ],
  ];

  it.each(ways)("%s", async (_name, add) => {
    const reply = await ask(make(add), ["/decisions/quote", { input }]);
    expect(reply).toMatchObject({ status: 200, headers: { "x-mark": "set" } });
  });

  it("onResponse runs once for each, with its status and headers", async () => {
    const seen: unknown[] = [];
    const server = make((app) => {
      app.addHook("onResponse", async (_request, reply) => {
        seen.push([reply.statusCode, reply.getHeader("content-length") !== undefined]);
      });
    });
    await ask(server, ["/decisions/quote", { input }]);
    await ask(server, ["/decisions/outcomes", { input: 5 }]);
    expect(seen).toEqual([
      [200, true],
      [400, true],
    ]);
  });
});

it("frees the place of each evaluation", async () => {
  const server = make();
  for (let count = 0; count < 3; count += 1)
    expect(await ask(server, ["/decisions/quote", { input }])).toMatchObject({ status: 200 });
});
