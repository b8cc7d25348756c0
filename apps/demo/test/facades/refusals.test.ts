import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect } from "node:net";
import { createDecisionRouter } from "@decern/adapter-express";
import { decisionPlugin } from "@decern/adapter-fastify";
import { apiKeys, createServer, type ServerOptions } from "@decern/server";
import express from "express";
import Fastify from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { listening } from "../support/listening.js";
import { ask, canAccess, facade, silent } from "./can-access.js";
import { hosts } from "./facade-hosts.js";
import { decisions, flags } from "./flags.js";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** An id that AuthZEN takes, and Decern's own routes replace. */
const id = "any id/1 [x]";
const all = { decisions: [canAccess, ...decisions], facades: [facade, flags], logger: silent };
const context = { targetingKey: "ada", plan: "pro" };
const isMessage = (body: unknown) => typeof body === "string" && body !== "";
const isFailure = (key?: string) => (body: unknown) => {
  const { errorCode, key: told } = Object(body);
  return ["GENERAL", "PARSE_ERROR"].includes(errorCode) && told === key;
};

/** Each path of both protocols: a request that it answers, the form of what is refused there, and whether ids come back. */
const paths = [
  ["POST", "/access/v1/evaluation", ask("alice", "read"), isMessage, true],
  ["POST", "/access/v1/evaluations", { evaluations: [ask("alice", "read")] }, isMessage, true],
  ["GET", "/.well-known/authzen-configuration", undefined, isMessage, true],
  ["POST", "/ofrep/v1/evaluate/flags", { context }, isFailure(), false],
  ["POST", "/ofrep/v1/evaluate/flags/banner", { context }, isFailure("banner"), false],
] as const;

interface Refused {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Refused> {
  const reply = await fetch(url, {
    method,
    headers: {
      "x-request-id": id,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** Checks form and id. */
function expectForm({ body, headers }: Refused, isForm: (body: unknown) => boolean, echoes: boolean): void {
  expect(isForm(body), JSON.stringify(body)).toBe(true);
  if (echoes) expect(headers.get("x-request-id")).toBe(id);
  else expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
}

async function serve(options: Partial<ServerOptions> = {}) {
  const server = createServer({ ...all, ...options });
  endings.push(() => server.close());
  return { server, url: await server.handler.listen({ port: 0, host: "127.0.0.1" }) };
}

describe.each(paths)(
  "what the server refuses on %s %s has the protocol's form",
  (method, path, body, isForm, echoes) => {
    const isOpen = path.startsWith("/.well-known");

    it.skipIf(isOpen)("to callers that are not authenticated", async () => {
      const { url } = await serve({ authenticate: apiKeys({ keys: ["key"] }) });
      const refused = await request(url + path, method, body);
      expect(refused.status).toBe(401);
      expectForm(refused, isForm, echoes);
    });

    it("under overload", async () => {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begun = 0;
      const { url } = await serve({
        overload: { maxConcurrent: 1 },
        hooks: {
          beforeEvaluate: async () => {
            begun += 1;
            await held;
          },
        },
      });
      const first = request(`${url}/access/v1/evaluation`, "POST", ask("alice", "read"));
      await expect.poll(() => begun).toBe(1);
      const refused = await request(url + path, method, body);
      expect({ status: refused.status, headers: refused.headers.get("retry-after") }).toEqual({
        status: 503,
        headers: "1",
      });
      expectForm(refused, isForm, echoes);
      release();
      expect((await first).status).toBe(200);
    });

    it("while it closes", async () => {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begun = 0;
      const { server, url } = await serve({
        hooks: {
          beforeEvaluate: async () => {
            begun += 1;
            await held;
          },
        },
      });
      const first = request(`${url}/access/v1/evaluation`, "POST", ask("alice", "read"));
      await expect.poll(() => begun).toBe(1);
      const closing = server.close();
      // The port is closed to new connections; requests that are already there are refused.
      const refused = await server.handler.inject({
        method,
        url: path,
        headers: { "x-request-id": id },
        ...(body === undefined ? {} : { payload: body }),
      });
      expect(refused.statusCode).toBe(503);
      const headers = new Headers({ "x-request-id": String(refused.headers["x-request-id"]) });
      expectForm({ status: 503, headers, body: refused.json() }, isForm, echoes);
      release();
      expect((await first).status).toBe(200);
      await closing;
    });

    it("where two hosts are named", async () => {
      const { url } = await serve();
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      endings.push(() => socket.destroy());
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\nhost: b\r\nx-request-id: ${id}\r\n\r\n`);
      let text = "";
      socket.setEncoding("utf8").on("data", (data: string) => {
        text += data;
      });
      await once(socket, "close");
      const [head = "", json = ""] = text.split("\r\n\r\n");
      const [line, ...fields] = head.split("\r\n");
      expect(line).toMatch(/^HTTP\/1.1 400 /);
      const headers = new Headers(
        fields.map((field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 2)]),
      );
      expectForm({ status: 400, headers, body: JSON.parse(json) }, isForm, echoes);
    });
  },
);

describe.each(Object.entries(hosts))("what %s refuses itself", (_name, start) => {
  it.each(paths)("on %s %s has the protocol's form", async (method, path, body, isForm, echoes) => {
    const host = await start(all);
    endings.push(() => host.close());
    const url = host.url + path;
    for (const wrong of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => one !== method)) {
      const refused = await request(url, wrong, wrong === "GET" ? undefined : "no JSON", {
        "content-type": "text/plain",
      });
      expect({ status: refused.status, headers: refused.headers.get("allow") }).toEqual({
        status: 405,
        headers: method === "GET" ? "GET, HEAD" : method,
      });
      expectForm(refused, isForm, echoes);
    }
    if (method === "GET") return;
    expect((await request(url, "HEAD")).status).toBe(405);
    const refusals: readonly [unknown, Record<string, string>, number][] = [
      ["{", {}, 400],
      [body, { "content-type": "text/plain" }, 400],
      [{ padding: "x".repeat(1_100_000) }, {}, 413],
    ];
    for (const [sent, headers, status] of refusals) {
      const refused = await request(url, method, sent, headers);
      expect(refused.status).toBe(status);
      expectForm(refused, isForm, echoes);
    }
  });
});

describe("what the host of an adapter refuses", () => {
  it.each(paths)(
    "in a hook of Fastify on %s %s has the protocol's form",
    async (method, path, body, isForm, echoes) => {
      let status = 401;
      const app = Fastify();
      endings.push(() => app.close());
      app.addHook("onRequest", async () => {
        throw Object.assign(new Error("Not you"), { statusCode: status });
      });
      await app.register(decisionPlugin, { ...all, prefix: "/decisions" });
      const url = await app.listen({ port: 0, host: "127.0.0.1" });
      for (const one of [401, 503]) {
        status = one;
        const refused = await request(url + path, method, body);
        expect(refused.status).toBe(one);
        expectForm(refused, isForm, echoes);
        expect(JSON.stringify(refused.body)).toContain("Not you");
      }
      status = 500;
      const own = { statusCode: 500, error: "Internal Server Error", message: "Not you" };
      expect((await request(url + path, method, body)).body).toEqual(own);
      expect((await request(`${url}/decisions/can-access`, "POST", {})).body).toEqual(own);
    },
  );

  it("stays with an Express application for OPTIONS", async () => {
    const app = express();
    app.use(createDecisionRouter({ ...all, prefix: "decisions" }));
    const { url, close } = await listening(createHttpServer(app));
    endings.push(close);
    const reply = await fetch(`${url}/access/v1/evaluation`, { method: "OPTIONS" });
    expect(reply.status).not.toBe(405);
  });
});

it("a key that is not valid percent-encoding is refused in the protocol's form", async () => {
  const { url } = await serve();
  const refused = await request(`${url}/ofrep/v1/evaluate/flags/%zz`, "POST", { context });
  expect(refused.status).toBe(400);
  expectForm(refused, isFailure(""), false);
});
