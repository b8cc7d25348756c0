import { createDecisionMiddleware, createDecisionRouter } from "@decern/adapter-express";
import { createDecisionRoute, decisionPlugin } from "@decern/adapter-fastify";
import { authzen } from "@decern/authzen";
import { defineDecision, type Logger } from "@decern/core";
import { explain } from "@decern/explain";
import { ofrep } from "@decern/ofrep";
import { createServer } from "@decern/server";
import { createWarehouseFunction, createWarehouseHandler } from "@decern/warehouse";
import { warehousePlugin } from "@decern/warehouse/fastify";
import express from "express";
import Fastify, { type FastifyInstance } from "fastify";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { MemoryLog } from "../../../../test/support/memory-log.js";

const names: string[] = [];

/** Keeps the names that it was asked about: what a caller sent must be what was evaluated. */
const greet = defineDecision({
  id: "greet",
  version: "1",
  inputSchema: z.object({ name: z.string() }),
  outputSchema: z.object({ allowed: z.boolean() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "any",
      when: ({ name }) => {
        names.push(name);
        return true;
      },
      emit: () => ({ allowed: true }),
    },
  ],
});

const logger: Logger = { error: () => {} };
const decisions = [greet];
const one = { decision: greet, logger };
const facades = [
  authzen({
    evaluation: greet,
    url: "https://pdp.example.com",
    toInput: ({ subject }) => ({ name: subject.id }),
  }),
  ofrep({
    flags: [
      {
        decision: greet,
        toInput: ({ targetingKey }) => ({ name: targetingKey }),
        toFlag: () => ({ value: true }),
      },
    ],
  }),
];
const columns: ["name"] = ["name"];
const warehouse = { engine: "bigquery", authenticate: "host", columns, ...one } as const;

type Send = (
  body: Buffer,
  contentType: string,
) => Promise<{ readonly status: number; readonly body: string }>;

const overFastify =
  (app: FastifyInstance, url: string): Send =>
  async (payload, type) => {
    onTestFinished(() => app.close());
    const { statusCode, body } = await app.inject({
      method: "POST",
      url,
      payload,
      headers: { "content-type": type },
    });
    return { status: statusCode, body };
  };

const overExpress =
  (handler: Parameters<typeof request>[0], url: string): Send =>
  async (body, type) => {
    const call = request(handler).post(url).set("content-type", type).buffer(true);
    const reply = await call.serialize((sent) => sent).send(body);
    return { status: reply.status, body: reply.text };
  };

const server = () =>
  createServer({
    decisions,
    facades,
    logger,
    log: new MemoryLog(),
    records: true,
    explain: explain(),
    authenticate: () => ({ caller: "anybody" }),
  });
const router = () => express().use(createDecisionRouter({ decisions, facades, logger }));
const plugin = async (): Promise<FastifyInstance> => {
  const app = Fastify();
  await app.register(decisionPlugin, { decisions, facades, logger });
  return app;
};

const input = (name: string) => `{"name":${name}}`;
const called = (name: string) => `{"calls":[[${name}]]}`;
const access = (name: string) =>
  `{"subject":{"type":"user","id":${name}},"action":{"name":"read"},"resource":{"type":"page","id":"1"}}`;
const context = (name: string) => `{"context":{"targetingKey":${name}}}`;

const evaluation = "/access/v1/evaluation";
const flag = "/ofrep/v1/evaluate/flags/greet";

/** Every place where JSON comes in: how to send it, and what has a name in it. Facades reply in their own form, without our codes. */
const places: readonly (readonly [
  string,
  () => Send | Promise<Send>,
  (name: string) => string,
  ("facade" | "unnamed")?,
])[] = [
  ["server", () => overFastify(server().handler, "/decisions/greet"), (name) => `{"input":${input(name)}}`],
  [
    "server, list",
    () => overFastify(server().handler, "/decisions/greet/batch"),
    (name) => `{"inputs":[${input(name)}]}`,
  ],
  [
    "server, docs page",
    () => overFastify(server().handler, "/docs/decisions/greet"),
    (name) => `{"input":${input(name)}}`,
  ],
  [
    "server, explanation",
    () => overFastify(server().handler, "/decisions/greet/explain"),
    (name) => `{"input":${input(name)}}`,
  ],
  [
    "server, records",
    () => overFastify(server().handler, "/records/search"),
    (name) => `{"caller":${name}}`,
    "unnamed",
  ],
  ["server, AuthZEN", () => overFastify(server().handler, evaluation), access, "facade"],
  ["server, OFREP", () => overFastify(server().handler, flag), context, "facade"],
  ["Express router", () => overExpress(router(), "/greet"), input],
  ["Express router, AuthZEN", () => overExpress(router(), evaluation), access, "facade"],
  ["Express router, OFREP", () => overExpress(router(), flag), context, "facade"],
  ["Express middleware", () => overExpress(express().post("/", createDecisionMiddleware(one)), "/"), input],
  [
    "Express middleware with an inputMapper",
    () =>
      overExpress(
        express().post("/", createDecisionMiddleware({ ...one, inputMapper: ({ body }) => body })),
        "/",
      ),
    input,
  ],
  ["Fastify plugin", async () => overFastify(await plugin(), "/greet"), input],
  ["Fastify plugin, AuthZEN", async () => overFastify(await plugin(), evaluation), access, "facade"],
  ["Fastify plugin, OFREP", async () => overFastify(await plugin(), flag), context, "facade"],
  [
    "Fastify route",
    () => overFastify(Fastify().route(createDecisionRoute({ url: "/", ...one })), "/"),
    input,
  ],
  ["warehouse, node:http", () => overExpress(createWarehouseHandler(warehouse), "/"), called],
  [
    "warehouse, Fastify",
    async () => {
      const app = Fastify();
      await app.register(warehousePlugin, { path: "/w", ...warehouse });
      return overFastify(app, "/w");
    },
    called,
  ],
  [
    "warehouse, Lambda behind API Gateway",
    () => {
      const handle = createWarehouseFunction({ engine: "snowflake", columns, ...one });
      return async (body, type) => {
        const headers = { "Content-Type": type };
        const event = { body: body.toString("base64"), isBase64Encoded: true, headers };
        const reply = await handle(event);
        return { status: reply.statusCode, body: reply.body };
      };
    },
    (name) => `{"data":[[0,${name}]]}`,
  ],
];

const json = "application/json";

const each = places.map(([place, open, bodyOf, kind]) => ({ place, open, bodyOf, kind }));

describe.each(each)("$place", ({ open, bodyOf, kind }) => {
  async function ask(name: Uint8Array | string, type = json, before = "") {
    const send = await open();
    names.length = 0;
    const [head = "", tail = ""] = bodyOf('"|"').split("|");
    const { status, body } = await send(
      Buffer.concat([Buffer.from(before + head), Buffer.from(name), Buffer.from(tail)]),
      type,
    );
    return { status, body, asked: new Set(names) };
  }

  it("evaluates the text that was sent", async () => {
    for (const name of ["José", "李", "\u{1f600}", "a\ufffdb"]) {
      const { status, asked } = await ask(name);
      expect(status).toBe(200);
      if (kind !== "unnamed") expect(asked).toContain(name);
    }
    expect((await ask("José", json, "\ufeff")).status).toBe(200);
  });

  it.each([
    ["Latin-1", Buffer.from("José", "latin1")],
    ["half a character", Buffer.from("李").subarray(0, 2)],
    ["a surrogate", Buffer.from([0xed, 0xa0, 0x80])],
    ["a spelling that is too long", Buffer.from([0xc0, 0xaf])],
    ["UTF-16", Buffer.from("José", "utf16le")],
  ])("refuses bytes that are not UTF-8: %s", async (_name, bytes) => {
    const { status, body, asked } = await ask(bytes);
    expect({ status, asked: [...asked] }).toEqual({ status: 400, asked: [] });
    if (kind !== "facade") expect(body).toContain("INVALID_JSON");
  });

  it.each(["utf-8", "UTF-8", '"utf-8"', "utf8"])("takes charset=%s", async (charset) => {
    expect((await ask("José", `${json}; charset=${charset}`)).status).toBe(200);
  });

  it.each([
    ["latin1", Buffer.from("José", "latin1")],
    ["iso-8859-1", Buffer.from("Jose")],
    ["utf-16", Buffer.from("José", "utf16le")],
    ['"windows-1252"', Buffer.from("Jose")],
  ])("refuses charset=%s", async (charset, name) => {
    for (const type of [`${json}; charset=${charset}`, `${json};v=1 ; Charset = ${charset}`]) {
      const { status, asked } = await ask(name, type);
      // AuthZEN has no 415.
      const expected = kind === "facade" ? [400, 415] : [415];
      expect(expected).toContain(status);
      expect([...asked]).toEqual([]);
    }
  });
});

it("the server takes lines in no other charset either", async () => {
  const send = overFastify(server().handler, "/decisions/greet/batch");
  names.length = 0;
  expect((await send(Buffer.from('{"name":"Jose"}'), "application/x-ndjson; charset=latin1")).status).toBe(
    415,
  );
  expect(names).toEqual([]);
  expect((await send(Buffer.from('{"name":"José"}'), "application/x-ndjson; charset=UTF-8")).status).toBe(
    200,
  );
  expect(names).toEqual(["José"]);
});
