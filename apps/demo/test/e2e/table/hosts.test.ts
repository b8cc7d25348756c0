import { once } from "node:events";
import { createDecisionRouter } from "@decern/adapter-express";
import { decisionPlugin } from "@decern/adapter-fastify";
import { createServer } from "@decern/server";
import express from "express";
import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { feeTable, profiles } from "./fee-table.js";

const options = { decisions: [feeTable()], profiles };

/** Adapters take the body as the input. */
type Post = (path: string, input: object) => Promise<{ readonly status: number; readonly body: unknown }>;

const hosts: Readonly<Record<string, () => Promise<Post>>> = {
  async server() {
    const { handler, close } = createServer({ ...options, docs: false, logger: false });
    onTestFinished(() => close());
    return async (url, input) => {
      const reply = await handler.inject({ method: "POST", url, payload: { input } });
      return { status: reply.statusCode, body: reply.json() };
    };
  },
  async Fastify() {
    const app = Fastify();
    onTestFinished(() => app.close());
    await app.register(decisionPlugin, { ...options, prefix: "/decisions" });
    return async (url, payload) => {
      const reply = await app.inject({ method: "POST", url, payload });
      return { status: reply.statusCode, body: reply.json() };
    };
  },
  async Express() {
    const app = express();
    app.use(createDecisionRouter({ ...options, prefix: "/decisions" }));
    const server = app.listen(0, "localhost");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("listens on no port");
    return async (path, body) => {
      const reply = await fetch(`http://localhost:${address.port}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: reply.status, body: await reply.json() };
    };
  },
};

describe.each(Object.entries(hosts))("a table behind HTTP: %s", (_, start) => {
  it("decides, names the row, and reports an input that breaks the schema", async () => {
    const post = await start();
    const reply = await post("/decisions/shipping-fee", { zone: "home", weight: 3 });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: "OK",
        data: { fee: 6 },
        meta: { matchedRule: "heavy", evaluatedRules: [{ ruleId: "heavy", matched: true }] },
      },
    });
    const invalid = await post("/decisions/shipping-fee", { zone: "moon", weight: 3 });
    expect(invalid).toMatchObject({ status: 400, body: { status: "INVALID_INPUT" } });
  });
});
