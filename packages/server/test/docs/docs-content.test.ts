import { gunzipSync } from "node:zlib";
import { defineDecision, type Logic } from "@decern/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { createServer } from "../../src/index.js";

const hash = `sha256:${"0".repeat(64)}`;
const document = { rows: Array.from({ length: 500 }, (_, row) => ({ row, text: "over and over" })) };

const logic: Logic = {
  content: { hash, mediaType: "application/vnd.example+json", document },
  rules: [{ id: "only" }],
  bind: () => ({
    thresholds: [],
    hits: () => [],
    decide: () => ({ emitted: { fee: 1 }, hits: [{ ruleId: "only", explanation: "" }], explanation: "" }),
  }),
};

const schemas = {
  inputSchema: z.object({ zone: z.string().default("home") }),
  outputSchema: z.object({ fee: z.number().default(0) }),
  profileSchema: z.object({ low: z.number().default(1) }),
};

const old = defineDecision({ id: "fee", version: "1.0.0", ...schemas, logic });
const other: Logic = { ...logic, content: { ...logic.content, document: { rows: [] } } };
const now = defineDecision({ id: "fee", version: "2.0.0", ...schemas, logic: other });
const rules = defineDecision({
  id: "rules",
  version: "1.0.0",
  ...schemas,
  rules: [{ id: "only", when: () => true, emit: () => ({ fee: 1 }) }],
});

const options = {
  decisions: [old, now, rules],
  versions: { fee: { default: "2.0.0" } },
  logger: false,
} as const;
const { handler } = createServer(options);

it("is what a version was made of, with the schemas that its logic sees", async () => {
  const reply = await handler.inject("/docs/decisions/fee/versions/1.0.0/content");
  const { inputSchema, outputSchema, profileSchema, ...content } = reply.json();
  expect(content).toEqual({ hash, mediaType: "application/vnd.example+json", document });
  // Validation fills in what inputs and profiles lack, and accepts outputs that lack what it fills in.
  expect(inputSchema.required).toEqual(["zone"]);
  expect(profileSchema.required).toEqual(["low"]);
  expect(outputSchema.required).toEqual([]);
  expect((await handler.inject("/docs/decisions/fee/content")).json().document).toEqual({ rows: [] });
});

it("is announced by its media type, for decisions of logic only", async () => {
  const described = async (url: string) => (await handler.inject(url)).json();
  expect(await described("/docs/decisions/fee")).toMatchObject({
    contentHash: hash,
    mediaType: "application/vnd.example+json",
  });
  expect(await described("/docs/decisions/rules")).not.toHaveProperty("mediaType");
  const missing = async (url: string) => {
    const reply = await handler.inject(url);
    return { status: reply.statusCode, code: reply.json().code };
  };
  expect(await missing("/docs/decisions/rules/content")).toEqual({ status: 404, code: "ROUTE_NOT_FOUND" });
  expect(await missing("/docs/decisions/fee/versions/3.0.0/content")).toEqual({
    status: 404,
    code: "VERSION_NOT_FOUND",
  });
});

it("is compressed, and revalidated by its tag", async () => {
  const url = "/docs/decisions/fee/versions/1.0.0/content";
  const plain = await handler.inject(url);
  const small = await handler.inject({ url, headers: { "accept-encoding": "gzip" } });
  expect(small.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(small.rawPayload).toString()).toBe(plain.body);
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
  const headers = { "if-none-match": String(plain.headers.etag) };
  expect((await handler.inject({ url, headers })).statusCode).toBe(304);
});

it("requires the same key as everything else about decisions", async () => {
  const secured = createServer({ ...options, authenticate: ({ headers }) => headers["x-api-key"] === "k" });
  const url = "/docs/decisions/fee/content";
  expect((await secured.handler.inject(url)).statusCode).toBe(401);
  expect((await secured.handler.inject({ url, headers: { "x-api-key": "k" } })).statusCode).toBe(200);
});
