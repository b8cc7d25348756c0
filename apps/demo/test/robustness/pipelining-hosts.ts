import { createServer as createHttpServer } from "node:http";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { createDecisionRouter } from "@decern/adapter-express";
import { decisionPlugin } from "@decern/adapter-fastify";
import type { Hooks } from "@decern/core";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "@decern/server";
import express, { type NextFunction, type Request, type Response } from "express";
import Fastify from "fastify";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { listening, portOf } from "../support/listening.js";

/** The hosts under test, by how they may treat requests. */
export const hostNames = [
  "server",
  "server with keys",
  "server with little room",
  "express",
  "fastify",
] as const;
export type HostName = (typeof hostNames)[number];

export interface Host {
  readonly port: number;
  close(): Promise<void>;
}

export const key = "a-key";
export const bodyLimit = 2048;
const longTime = 600_000;

/** Evaluates some requests at once, some in a later turn, and some a little later, depending on their id. */
const hooks: Hooks = {
  beforeEvaluate: ({ requestId }) => {
    const pace = sumOf(requestId) % 4;
    if (pace === 0) return turn();
    if (pace === 1) return wait(sumOf(requestId) % 5);
    return undefined;
  },
};

function sumOf(text: string): number {
  return [...text].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) % 9973;
}

const common = {
  decisions: defaultDecisions,
  profiles,
  hooks,
  bodyLimit,
  logger: { error: () => {} },
} as const;

type HostOptions = Pick<ServerOptions, "authenticate" | "overload">;

/** The server with every feature and without time-outs. */
export function makeServer(options: HostOptions = {}): DecisionServer {
  return createServer({
    ...common,
    metrics: metrics({ enabled: true }),
    openapi: openapi({ enabled: true }),
    requestTimeoutMs: longTime,
    keepAliveTimeoutMs: longTime,
    writeTimeoutMs: longTime,
    ...options,
  });
}

export const startHost: Readonly<Record<HostName, () => Promise<Host>>> = {
  server: () => startServer({}),
  "server with keys": () => startServer({ authenticate: apiKeys({ keys: async () => [key] }) }),
  "server with little room": () => startServer({ overload: { maxConcurrent: 2 } }),
  express: startExpress,
  fastify: startFastify,
};

async function startServer(options: HostOptions): Promise<Host> {
  const server = makeServer(options);
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  return { port: portOf(server.handler.server), close: () => server.close() };
}

async function startExpress(): Promise<Host> {
  const app = express();
  // The host's own replies carry the id too.
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader("x-request-id", String(request.headers["x-request-id"]));
    next();
  });
  app.use(createDecisionRouter({ ...common, prefix: "decisions" }));
  const server = createHttpServer(app);
  server.keepAliveTimeout = longTime;
  return await listening(server);
}

async function startFastify(): Promise<Host> {
  const app = Fastify({ forceCloseConnections: true, keepAliveTimeout: longTime, bodyLimit });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.headers["x-request-id"]);
  });
  const { bodyLimit: _hosts, ...options } = common;
  await app.register(decisionPlugin, { ...options, prefix: "/decisions" });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { port: portOf(app.server), close: () => app.close() };
}
