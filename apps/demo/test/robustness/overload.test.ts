import { createServer } from "@decern/server";
import { afterEach, expect, it } from "vitest";
import { decisions, defaultProfiles } from "../../src/decisions/index.js";
import { send } from "./raw-request.js";
import { portOf } from "./targets.js";

let close = async (): Promise<void> => {};
afterEach(() => close());

const body = JSON.stringify({ input: {} });
const headers = { "content-type": "application/json" };

it("at more than it may do at once, sheds load with 503 and Retry-After; health stays answerable", async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer({
    decisions,
    profiles: defaultProfiles,
    logger: false,
    overload: { maxConcurrent: 4, retryAfterSeconds: 2 },
    hooks: { beforeEvaluate: () => released },
  });
  close = () => server.close();
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const port = portOf(server.handler.server);
  const evaluate = () => send(port, { method: "POST", path: "/decisions/loan-approval", headers, body });

  const waiting = Array.from({ length: 4 }, evaluate);
  await expect.poll(async () => (await evaluate()).status).toBe(503);
  const shed = await Promise.all(Array.from({ length: 20 }, evaluate));
  for (const reply of shed) {
    expect([reply.status, JSON.parse(reply.text).code, reply.headers["retry-after"]]).toEqual([
      503,
      "OVERLOADED",
      "2",
    ]);
  }
  expect((await send(port, { method: "GET", path: "/health/ready" })).status).toBe(200);
  release();
  expect((await Promise.all(waiting)).map((reply) => reply.status)).toEqual([400, 400, 400, 400]);
  expect((await evaluate()).status).toBe(400);
});

it("sheds load while the event loop is late, and stops when it is not", async () => {
  const server = createServer({
    decisions,
    profiles: defaultProfiles,
    logger: false,
    overload: { maxEventLoopDelayMs: 30 },
  });
  close = () => server.close();
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const port = portOf(server.handler.server);
  const evaluate = () => send(port, { method: "POST", path: "/decisions/loan-approval", headers, body });

  expect((await evaluate()).status).toBe(400);
  const seen = new Set<number>();
  for (let turn = 0; turn < 15 && !seen.has(503); turn += 1) {
    const end = performance.now() + 120;
    while (performance.now() < end);
    seen.add((await evaluate()).status);
  }
  expect(seen).toContain(503);
  expect((await send(port, { method: "GET", path: "/health/live" })).status).toBe(200);
  await expect.poll(async () => (await evaluate()).status, { timeout: 5000, interval: 200 }).toBe(400);
});
