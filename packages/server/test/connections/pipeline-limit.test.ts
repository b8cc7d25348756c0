import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { maxUnanswered } from "../../src/connections/take-requests.js";
import { createServer, type DecisionServer } from "../../src/index.js";
import { decisions, profiles } from "../support/decisions.js";
import { bind, converse, get, open, post } from "./raw-client.js";

let server: DecisionServer;
let port: number;
let entered: number;
let release: () => void;

beforeEach(async () => {
  entered = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const beforeEvaluate = (): Promise<void> => {
    entered += 1;
    return released;
  };
  server = createServer({ decisions, profiles, logger: false, hooks: { beforeEvaluate }, closeTimeoutMs: 1 });
  port = await bind(server);
});
afterEach(() => server.close());

const body = JSON.stringify({ input: { end: "ok" } });
const evaluation = (id: string): string => post("/decisions/outcomes", body, `x-request-id: ${id}\r\n`);
const evaluations = (count: number): string =>
  Array.from({ length: count }, (_, index) => evaluation(String(index))).join("");

it("accepts pending requests on one connection up to the limit, and replies in order", async () => {
  const last = get("/health/live", "connection: close\r\nx-request-id: last\r\n");
  const conversation = converse(port, evaluations(maxUnanswered - 1) + last);
  while (entered < maxUnanswered - 1) await turn();
  release();
  const { replies, rest } = await conversation;
  const ids = Array.from({ length: maxUnanswered - 1 }, (_, index) => String(index));
  expect(replies.map(({ headers }) => headers.get("x-request-id"))).toEqual([...ids, "last"]);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(rest).toBe("");
});

it("replies 503 to the first request above the limit, after all others, and ends the connection", async () => {
  const conversation = converse(port, evaluations(maxUnanswered + 10));
  while (entered < maxUnanswered) await turn();
  release();
  const { replies, rest } = await conversation;
  expect(replies).toHaveLength(maxUnanswered + 1);
  const last = replies.at(-1);
  expect({
    status: last?.status,
    connection: last?.headers.get("connection"),
    retryAfter: last?.headers.get("retry-after"),
  }).toEqual({ status: 503, connection: "close", retryAfter: "1" });
  expect(last?.headers.get("x-request-id")).toBe(String(maxUnanswered));
  expect(JSON.parse(last?.body ?? "")).toMatchObject({ code: "OVERLOADED" });
  expect(rest).toBe("");
  expect(entered).toBe(maxUnanswered);
});

it("ends a connection that keeps sending before it has any reply", async () => {
  const accepted: Promise<Socket[]> = once(server.handler.server, "connection");
  const client = await open(port);
  const [served] = await accepted;
  client.write(evaluations(maxUnanswered * 4));
  while (served?.destroyed !== true) await turn();
  expect(entered).toBe(maxUnanswered);
});

it("counts requests without a reply, not unsent replies: a client may pipeline more and read later", async () => {
  const count = maxUnanswered * 3;
  const last = get("/health/live", "connection: close\r\n");
  const { replies } = await converse(port, get("/health/live").repeat(count) + last);
  expect(replies).toHaveLength(count + 1);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});
