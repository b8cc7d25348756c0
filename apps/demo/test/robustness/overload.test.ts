import { createServer } from "@decern/server";
import { afterEach, expect, it } from "vitest";
import { gate } from "../../../../test/suites/gate.js";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { portOf } from "../support/listening.js";
import { send } from "./raw-request.js";

let close = async (): Promise<void> => {};
afterEach(() => close());

const body = JSON.stringify({ input: {} });
const headers = { "content-type": "application/json" };

it("above maxConcurrent, sheds load with 503 and Retry-After; health routes stay available", async () => {
  const held = gate();
  let begun = 0;
  const beforeEvaluate = () => {
    begun += 1;
    return held.opened;
  };
  const server = createServer({
    decisions: defaultDecisions,
    profiles,
    logger: false,
    overload: { maxConcurrent: 4, retryAfterSeconds: 2 },
    hooks: { beforeEvaluate },
    hookTimeoutMs: 600_000,
  });
  close = () => server.close();
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const port = portOf(server.handler.server);
  const evaluate = () => send(port, { method: "POST", path: "/decisions/loan-approval", headers, body });

  const waiting = Array.from({ length: 4 }, evaluate);
  await expect.poll(() => begun).toBe(4);
  const shed = await Promise.all(Array.from({ length: 20 }, evaluate));
  for (const reply of shed) {
    expect({
      status: reply.status,
      code: JSON.parse(reply.text).code,
      retryAfter: reply.headers["retry-after"],
    }).toEqual({ status: 503, code: "OVERLOADED", retryAfter: "2" });
  }
  expect((await send(port, { method: "GET", path: "/health/ready" })).status).toBe(200);
  held.open();
  expect((await Promise.all(waiting)).map((reply) => reply.status)).toEqual([400, 400, 400, 400]);
  expect((await evaluate()).status).toBe(400);
});

it("sheds load while the event loop is late, and stops when it recovers", async () => {
  const server = createServer({
    decisions: defaultDecisions,
    profiles,
    logger: false,
    // Longer than a busy machine delays a process. The rest of the test polls until it sees the expected reply.
    overload: { maxEventLoopDelayMs: 500 },
  });
  close = () => server.close();
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const port = portOf(server.handler.server);
  const evaluate = () => send(port, { method: "POST", path: "/decisions/loan-approval", headers, body });

  const status = async () => (await evaluate()).status;
  await expect.poll(status).toBe(400);
  const statusWhenLate = () => {
    const end = performance.now() + 1000;
    while (performance.now() < end);
    return status();
  };
  await expect.poll(statusWhenLate).toBe(503);
  expect((await send(port, { method: "GET", path: "/health/live" })).status).toBe(200);
  await expect.poll(status).toBe(400);
});
