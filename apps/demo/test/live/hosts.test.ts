import { once } from "node:events";
import { createDecisionGuard, createDecisionMiddleware, createDecisionRouter } from "@decern/adapter-express";
import { createDecisionHandler, createDecisionHook, decisionPlugin } from "@decern/adapter-fastify";
import { createServer } from "@decern/server";
import express, { type Express } from "express";
import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { LiveFile, NeverLoaded, setOf } from "./live-fee.js";

type Post = (path?: string) => Promise<{ readonly status: number; readonly body: unknown }>;

async function express_(app: Express): Promise<Post> {
  const server = app.listen(0, "localhost");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("listens on no port");
  return async (path = "/marked") => {
    const reply = await fetch(`http://localhost:${address.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ weight: 1 }),
    });
    const text = await reply.text();
    // Express's own errors are HTML.
    return { status: reply.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
}

function fastify_(app: ReturnType<typeof Fastify>, wrap = (input: object): object => input): Post {
  onTestFinished(() => app.close());
  return async (url = "/marked") => {
    const reply = await app.inject({ method: "POST", url, payload: wrap({ weight: 1 }) });
    return { status: reply.statusCode, body: reply.json() };
  };
}

const hosts: Readonly<Record<string, (file: LiveFile) => Promise<Post>>> = {
  async server(file) {
    const server = createServer({
      decisions: file.source(),
      observers: [file],
      profileOverride: false,
      logger: false,
    });
    onTestFinished(() => server.close());
    const post = fastify_(server.handler, (input) => ({ input }));
    return (path = "/marked") => post(`/decisions${path}`);
  },
  async "Fastify plugin"(file) {
    const app = Fastify();
    await app.register(decisionPlugin, { decisions: file.source(), observers: [file], logger: false });
    return fastify_(app);
  },
  async "Express router"(file) {
    const app = express();
    app.use(createDecisionRouter({ decisions: file.source(), observers: [file], logger: false }));
    return express_(app);
  },
  async "Express middleware"(file) {
    const app = express();
    const decision = file.source();
    app.post("/marked", createDecisionMiddleware({ decision, observers: [file], logger: false }));
    return express_(app);
  },
  async "Express guard"(file) {
    const app = express();
    const decision = file.source();
    const guard = createDecisionGuard({ decision, observers: [file], isDenied: () => false, logger: false });
    app.post("/marked", express.json(), guard, (request, response) => void response.json(request.decision));
    return express_(app);
  },
  async "Fastify handler"(file) {
    const app = Fastify();
    const decision = file.source();
    app.post("/marked", createDecisionHandler({ decision, observers: [file], logger: false }));
    return fastify_(app);
  },
  async "Fastify hook"(file) {
    const app = Fastify();
    const decision = file.source();
    const hook = createDecisionHook({ decision, observers: [file], isDenied: () => false, logger: false });
    app.post("/marked", { preHandler: hook }, (request) => request.decision);
    return fastify_(app);
  },
};

describe.each(Object.entries(hosts))("a table that changes while the service runs: %s", (_name, start) => {
  it("decides by the file that was published last, and keeps that where the next one is wrong", async () => {
    const file = new LiveFile(setOf(1));
    const post = await start(file);
    const of = (mark: number) => ({
      status: 200,
      body: {
        status: "OK",
        data: { row: mark, profile: mark },
        meta: { decisionVersion: `v${mark}`, matchedRule: `row-of-${mark}` },
      },
    });
    expect(await post()).toMatchObject(of(1));
    expect(await file.publish(setOf(2))).toEqual({ outcome: "loaded", revision: "r2" });
    expect(await post()).toMatchObject(of(2));
    const broken = setOf(3, { profiles: { marked: { mark: "three" } } });
    expect(await file.publish(broken)).toMatchObject({
      outcome: "failed",
      error: { problems: [{ path: "/profiles/marked/mark" }] },
    });
    expect(await post()).toMatchObject(of(2));
    expect(await file.publish(setOf(3))).toEqual({ outcome: "loaded", revision: "r3" });
    expect(await post()).toMatchObject(of(3));
  });

  it("replies 503 until the first table is loaded, and lets nothing through", async () => {
    const post = await start(new NeverLoaded(setOf(1)));
    const { status, body } = await post();
    expect(status).toBe(503);
    expect(JSON.stringify(body)).not.toContain("OK");
    expect((await post("/unknown")).status).toBe(404);
  });

  it("does not start with a table that is wrong, and says where", async () => {
    const file = new LiveFile(setOf(1, { decisions: [{ table: "marked", version: "1" }] }));
    await expect((async () => start(file))()).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: expect.arrayContaining([
        expect.objectContaining({ path: expect.stringContaining("/decisions/marked") }),
      ]),
    });
  });
});
