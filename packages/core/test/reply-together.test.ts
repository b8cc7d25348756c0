import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { replyTogether } from "../src/host.js";

let nowMs = 0;
beforeEach(() => {
  // Later than every reply of tests that ran in this process before.
  nowMs = Math.max(nowMs, performance.now()) + 1000;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const nobody = (): void => {
  throw new Error("nothing was to fail");
};

/** Two evaluations in one turn, each taking `ms`. */
function twoReplies(ms: number): Promise<readonly string[]> {
  const order: string[] = [];
  return new Promise((resolve) => {
    for (const name of ["first", "second"]) {
      process.nextTick(() => {
        nowMs += ms;
        order.push(`evaluated ${name}`);
        replyTogether(() => {
          order.push(`wrote ${name}`);
          if (name === "second") resolve(order);
        }, nobody);
      });
    }
  });
}

it("writes at once when no other reply is near", () => {
  for (const _turn of [1, 2]) {
    nowMs += 5;
    let written = false;
    replyTogether(() => {
      written = true;
    }, nobody);
    expect(written).toBe(true);
  }
});

it("writes at once if evaluations are slow", async () => {
  const order = await twoReplies(2);
  expect(order).toEqual(["evaluated first", "wrote first", "evaluated second", "wrote second"]);
});

it("otherwise writes after everything that is already queued, in the order of the calls", async () => {
  replyTogether(() => {}, nobody);
  const order = await twoReplies(0.02);
  expect(order).toEqual(["evaluated first", "evaluated second", "wrote first", "wrote second"]);
});

it("measures the time since the last reply was written", async () => {
  replyTogether(() => {}, nobody);
  await new Promise<void>((resolve) => {
    replyTogether(() => {
      nowMs += 10;
      resolve();
    }, nobody);
  });
  expect(await twoReplies(0.02)).toEqual([
    "evaluated first",
    "evaluated second",
    "wrote first",
    "wrote second",
  ]);
});

it("passes a write error to its caller, at once or later, and continues with the next reply", async () => {
  const failures = await new Promise((resolve) => {
    const thrown: unknown[] = [];
    for (const name of ["first", "second"]) {
      replyTogether(
        () => {
          throw name;
        },
        (failure) => thrown.push(failure),
      );
    }
    replyTogether(() => resolve(thrown), nobody);
  });
  expect(failures).toEqual(["first", "second"]);
});

it("also writes under fake timers", async () => {
  vi.useFakeTimers();
  for (const _reply of [1, 2]) await new Promise<void>((resolve) => replyTogether(resolve, nobody));
});
