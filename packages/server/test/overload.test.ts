import { LoadGate } from "@decern/core/host";
import { expect, it, vi } from "vitest";
import { createServer } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";

const evaluation = { method: "POST", url: "/decisions/outcomes", payload: { input: { end: "ok" } } } as const;

it("sheds load above the limit with 503 and Retry-After, and accepts requests again when there is room", async () => {
  const waiting: (() => void)[] = [];
  const beforeEvaluate = () => new Promise<void>((resolve) => waiting.push(resolve));
  const { handler } = createServer({
    decisions,
    profiles,
    hooks: { beforeEvaluate },
    hookTimeoutMs: 600_000,
    overload: { maxConcurrent: 2, retryAfterSeconds: 3 },
  });
  const first = [handler.inject(evaluation), handler.inject(evaluation)];
  await expect.poll(() => waiting).toHaveLength(2);
  const shed = await handler.inject(evaluation);
  expect({
    statusCode: shed.statusCode,
    retryAfter: shed.headers["retry-after"],
    code: shed.json().code,
  }).toEqual({ statusCode: 503, retryAfter: "3", code: "OVERLOADED" });
  expect(shed.headers["x-request-id"]).toBeTypeOf("string");
  for (const url of ["/", "/health/live", "/health/ready"])
    expect((await handler.inject(url)).statusCode).toBe(200);
  for (const release of waiting.splice(0)) release();
  expect((await Promise.all(first)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const later = handler.inject(evaluation);
  await expect.poll(() => waiting).toHaveLength(1);
  waiting[0]?.();
  expect((await later).statusCode).toBe(200);
});

it("counts running evaluations, not replies that wait for one another", async () => {
  const { handler } = createServer({ decisions, profiles, overload: { maxConcurrent: 2 } });
  const replies = await Promise.all(Array.from({ length: 50 }, () => handler.inject(evaluation)));
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

it("detects a late event loop, and recovers after a while", () => {
  vi.useFakeTimers();
  try {
    let now = 0;
    const clock = { now: () => 0, monotonic: () => now };
    const gate = new LoadGate({ maxEventLoopDelayMs: 50 }, clock);
    const pass = (ms: number) => {
      now += ms;
      vi.advanceTimersByTime(20);
    };
    pass(20);
    expect(gate.enter({})).toBe(true);
    // Nothing has run for 100 ms: the timer itself is late and has not fired yet.
    now += 100;
    expect(gate.enter({})).toBe(false);
    pass(0);
    expect(gate.enter({})).toBe(false);
    for (let sample = 0; sample < 5; sample += 1) pass(20);
    expect(gate.enter({})).toBe(true);
    gate.stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
