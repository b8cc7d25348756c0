import { createServer as createHttpServer } from "node:http";
import { createDecisionRouter } from "@decern/adapter-express";
import { decisionPlugin } from "@decern/adapter-fastify";
import type { DecisionSetOptions, EvaluatorOptions, Facade } from "@decern/core";
import { createServer } from "@decern/server";
import express from "express";
import Fastify from "fastify";
import { listening } from "../support/listening.js";

/** What every host takes. */
export interface FacadeHostOptions
  extends EvaluatorOptions,
    Pick<DecisionSetOptions, "decisions" | "profileResolver"> {
  readonly facades: readonly Facade[];
}

/** A host that listens. */
export interface FacadeHost {
  readonly url: string;
  close(): Promise<unknown>;
}

/** Every host that takes facades. */
export const hosts: Readonly<Record<string, (options: FacadeHostOptions) => Promise<FacadeHost>>> = {
  "the server": async (options) => {
    const server = createServer(options);
    const url = await server.handler.listen({ port: 0, host: "127.0.0.1" });
    return { url, close: () => server.close() };
  },
  "the Express router": async (options) => {
    const app = express();
    app.use(createDecisionRouter({ ...options, prefix: "decisions" }));
    return await listening(createHttpServer(app));
  },
  "the Fastify plugin": async (options) => {
    const app = Fastify({ forceCloseConnections: true });
    await app.register(decisionPlugin, { ...options, prefix: "/decisions" });
    return { url: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() };
  },
};

/** A reply, with its body as JSON where it has one. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Posts a body: JSON text, or what becomes it. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
