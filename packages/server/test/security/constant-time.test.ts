import { timingSafeEqual } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { apiKeys, createServer } from "../../src/index.js";
import { probe } from "./fixtures.js";

// Where test files share their modules, another one may have loaded these already.
vi.hoisted(() => vi.resetModules());

// Spies on Node's own comparison. One that stops early would not use it, or not for every key.
vi.mock("node:crypto", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:crypto")>();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});
const compare = vi.mocked(timingSafeEqual);
afterEach(() => void compare.mockClear());

const keys = ["first-key", "second-key-which-is-longer", "3"];

it.each([
  ["the first key", "first-key", 200],
  ["the last key", "3", 200],
  ["a key that differs at its start", "x", 401],
  ["a key that differs at its end", "first-keY", 401],
  ["a very long key", "k".repeat(5000), 401],
  ["no key", undefined, 401],
])("compares %s with all keys, as digests of equal length, in constant time", async (_what, key, status) => {
  for (const given of [keys, () => keys, async () => keys]) {
    compare.mockClear();
    const { handler } = createServer({ decisions: [probe], authenticate: apiKeys({ keys: given }) });
    const headers = key === undefined ? {} : { "x-api-key": key };
    expect((await handler.inject({ url: "/decisions", headers })).statusCode).toBe(status);
    expect(compare).toHaveBeenCalledTimes(keys.length);
    for (const [left, right] of compare.mock.calls)
      expect({ leftByteLength: left.byteLength, rightByteLength: right.byteLength }).toEqual({
        leftByteLength: 32,
        rightByteLength: 32,
      });
  }
});
