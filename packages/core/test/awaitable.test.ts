import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isThenable, withDeadline } from "../src/tools.js";

const boom = new Error("boom");

const key = "then";
const thenable = (value: unknown): object => ({ [key]: value });

describe("isThenable", () => {
  it.each([
    [Promise.resolve(), true],
    [thenable(() => {}), true],
    [thenable(true), false],
    [{}, false],
    [null, false],
    [undefined, false],
    ["then", false],
  ])("%o: %s", (value, expected) => {
    expect(isThenable(value)).toBe(expected);
  });
});

describe("withDeadline", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const deadline = <T>(work: () => T | PromiseLike<T>) => withDeadline("the callback", 100, work);

  it("passes on at once what is returned or thrown at once", () => {
    expect(deadline(() => "now")).toBe("now");
    expect(() =>
      deadline(() => {
        throw boom;
      }),
    ).toThrow(boom);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("sets no timer for a promise that has settled already", async () => {
    expect(await deadline(async () => "settled")).toBe("settled");
    await expect(deadline(() => Promise.reject(boom))).rejects.toBe(boom);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["resolve", "reject"] as const)("keeps no timer after a promise %ss", async (how) => {
    const settles: {
      readonly resolve: (value: string) => void;
      readonly reject: (thrown: unknown) => void;
    }[] = [];
    const ended = deadline(
      () => new Promise<string>((resolve, reject) => void settles.push({ resolve, reject })),
    );
    await vi.advanceTimersByTimeAsync(99);
    // A timer that outlives its promise would keep the process from ending.
    expect(vi.getTimerCount()).toBe(1);
    if (how === "resolve") {
      settles[0]?.resolve("in time");
      expect(await ended).toBe("in time");
    } else {
      settles[0]?.reject(boom);
      await expect(ended).rejects.toBe(boom);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives up on a promise that takes longer", async () => {
    const ended = Promise.resolve(deadline(() => new Promise(() => {})));
    const outcome = ended.then(undefined, (thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(100);
    expect(await outcome).toMatchObject({
      code: "HOOK_TIMEOUT",
      message: expect.stringContaining("the callback did not settle within 100 ms"),
    });
  });
});
