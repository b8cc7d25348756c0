import { createHook } from "node:async_hooks";
import { expect, it } from "vitest";
import { systemClock } from "../src/base/time.js";
import { Lists, LoadGate } from "../src/host.js";

it("requests that wait for a place share a timer, and get one in the order in which they came", async () => {
  const gate = new LoadGate({ maxConcurrent: 1 }, systemClock);
  const lists = new Lists({ hasRoomForMany: true }, gate);
  const first = {};
  expect(gate.enter(first)).toBe(true);
  let timers = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "Timeout" && new Error().stack?.includes("base/time.ts")) timers += 1;
    },
  }).enable();
  const order: number[] = [];
  let looks = 0;
  const entered = Array.from({ length: 20 }, async (_, index) => {
    const isGone = () => {
      looks += 1;
      // The last one is left by its client while it waits.
      return index === 19 && looks > 100;
    };
    const places = lists.placesOf({}, isGone);
    if (!(await places.enter())) return -1;
    order.push(index);
    places.leave();
    return index;
  });
  // Every one of them has looked at least five times.
  expect(await entered.at(-1)).toBe(-1);
  hook.disable();
  expect(order).toEqual([]);
  expect(timers).toBeGreaterThan(0);
  expect(timers).toBeLessThan(10);
  gate.leave(first);
  expect(await Promise.all(entered)).toEqual([...Array.from({ length: 19 }, (_, index) => index), -1]);
  expect(order).toEqual(Array.from({ length: 19 }, (_, index) => index));
  gate.stop();
});
