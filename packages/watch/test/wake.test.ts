import type { SourceWatch } from "@decern/core";
import { afterEach, expect, it, vi } from "vitest";
import { recordingWatcher } from "../../../test/support/recording-watcher.js";
import { type WakeSource, watchProfiles } from "../src/index.js";

const watches: SourceWatch[] = [];
afterEach(async () => {
  await Promise.all(watches.splice(0).map((watch) => watch.stop()));
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function watching(load: () => number | Promise<number>, wake: WakeSource) {
  vi.useFakeTimers();
  const host = recordingWatcher();
  const watch = watchProfiles({
    load: async () => ({ revision: String(await load()), profiles: {} }),
    everyMs: 60_000,
    wake,
  }).watch(host);
  watches.push(watch);
  return { host, watch };
}

it("loads at once when it is woken, and after the interval again", async () => {
  let wakeUp = (): void => {};
  let loads = 0;
  const { host } = watching(
    () => {
      loads += 1;
      return loads;
    },
    (load) => {
      wakeUp = load;
      return undefined;
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  wakeUp();
  await vi.advanceTimersByTimeAsync(0);
  expect(host.accepted.map(({ revision }) => revision)).toEqual(["1", "2"]);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(loads).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(loads).toBe(3);
});

it("loads once more when it is woken while it loads, however often: that load may have been too early", async () => {
  let wakeUp = (): void => {};
  const ends: ((value: number) => void)[] = [];
  const { host } = watching(
    () => new Promise((resolve) => ends.push(resolve)),
    (load) => {
      wakeUp = load;
      return undefined;
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  for (let count = 0; count < 10; count += 1) wakeUp();
  ends[0]?.(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  expect(host.accepted.map(({ revision }) => revision)).toEqual(["1", "2"]);
});

it("stops what wakes it, and is deaf from then on", async () => {
  let wakeUp = (): void => {};
  let loads = 0;
  let stops = 0;
  const { watch } = watching(
    () => {
      loads += 1;
      return loads;
    },
    (load) => {
      wakeUp = load;
      return () => {
        stops += 1;
        return Promise.reject(new Error("ended already"));
      };
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  await watch.stop();
  await watch.stop();
  wakeUp();
  await vi.advanceTimersByTimeAsync(60_000);
  expect({ loads, stops }).toEqual({ loads: 1, stops: 1 });
});

it("goes on by its interval when it cannot be woken, and says why", async () => {
  let loads = 0;
  const { host } = watching(
    () => {
      loads += 1;
      return loads;
    },
    () => {
      throw new Error("no such channel");
    },
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(host.errors()).toEqual(["Error: no such channel"]);
  expect(loads).toBe(2);
});
