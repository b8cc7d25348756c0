import { createServer, type RequestListener } from "node:http";
import express from "express";
import fastify from "fastify";
import { onTestFinished } from "vitest";
import { warehousePlugin } from "../../src/fastify.js";
import type { WarehouseHttpOptions } from "../../src/index.js";
import { createWarehouseHandler } from "../../src/index.js";

/** What a host replied. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a body to a host. */
export type Ask = (
  body: string | Uint8Array,
  headers?: Record<string, string>,
  signal?: AbortSignal,
) => Promise<Answer>;

type Serve = <Input, Output, Profile>(options: WarehouseHttpOptions<Input, Output, Profile>) => Promise<Ask>;

async function listen(listener: RequestListener): Promise<Ask> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return askAt(`http://127.0.0.1:${address.port}/loans`);
}

function askAt(url: string): Ask {
  return async (body, headers = {}, signal) => {
    const reply = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : new Uint8Array(body),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };
}

const onExpress: Serve = (options) => listen(express().post("/loans", createWarehouseHandler(options)));

const behindParser: Serve = (options) =>
  listen(
    express()
      .use(express.json({ limit: "16mb" }))
      .post("/loans", createWarehouseHandler(options)),
  );

const onNode: Serve = (options) => listen(createWarehouseHandler(options));

const onFastify: Serve = async (options) => {
  const app = fastify();
  await app.register(warehousePlugin, { ...options, path: "/loans" });
  onTestFinished(() => app.close());
  return askAt(`${await app.listen({ port: 0, host: "127.0.0.1" })}/loans`);
};

/** Every host over HTTP. */
export const hosts: readonly (readonly [string, Serve])[] = [
  ["Express", onExpress],
  ["Express, which has parsed the body", behindParser],
  ["Fastify", onFastify],
  ["node:http", onNode],
];
