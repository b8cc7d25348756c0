import { createServer as createHttpServer } from "node:http";
import { createDecisionRouter } from "@decern/adapter-express";
import { decisionPlugin } from "@decern/adapter-fastify";
import type { Decision, EvaluationObserver, Hooks, Logger, VersionPolicy } from "@decern/core";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { createServer } from "@decern/server";
import express, { type NextFunction, type Request, type Response } from "express";
import Fastify from "fastify";
import { listening, portOf } from "../support/listening.js";

/** A host with the decisions at `/decisions/<id>`, listening. */
export interface Target {
  readonly name: "server" | "express" | "fastify";
  readonly port: number;
  /** Wraps an input as this host expects it. */
  readonly body: (input: unknown) => unknown;
  close(): Promise<void>;
}

export interface TargetOptions {
  readonly decisions: readonly Decision[];
  readonly profiles?: Readonly<Record<string, unknown>>;
  readonly versions?: Readonly<Record<string, VersionPolicy>>;
  readonly hooks?: Hooks;
  readonly observers?: readonly EvaluationObserver[];
  readonly hookTimeoutMs?: number;
}

const silent: Logger = { error: () => {} };

/** The standalone server with every feature, and a minimal application of each framework. */
export const targets = { server: startServer, express: startExpress, fastify: startFastify } as const;

async function startServer(options: TargetOptions): Promise<Target> {
  const server = createServer({
    ...options,
    logger: silent,
    metrics: metrics({ enabled: true }),
    openapi: openapi({ enabled: true }),
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  return {
    name: "server",
    port: portOf(server.handler.server),
    body: (input) => ({ input }),
    close: () => server.close(),
  };
}

async function startExpress(options: TargetOptions): Promise<Target> {
  const app = express();
  app.use(createDecisionRouter({ ...options, logger: silent, prefix: "decisions" }));
  // The parts that a real host would add.
  app.use(
    (_request: Request, response: Response) =>
      void response.status(404).json({ error: "Not here", code: "HOST" }),
  );
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status =
      typeof error === "object" && error !== null && "status" in error ? Number(error.status) : 500;
    response.status(status).json({ error: "Host error", code: "HOST" });
  });
  const { port, close } = await listening(createHttpServer(app));
  return { name: "express", port, body: (input) => input, close };
}

async function startFastify(options: TargetOptions): Promise<Target> {
  const app = Fastify({ forceCloseConnections: true });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: "Not here", code: "HOST" }));
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ error: "Host error", code: "HOST" }),
  );
  await app.register(decisionPlugin, { ...options, logger: silent, prefix: "/decisions" });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return { name: "fastify", port: portOf(app.server), body: (input) => input, close: () => app.close() };
}
