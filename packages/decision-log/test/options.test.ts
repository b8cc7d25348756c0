import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { decisionLog } from "../src/index.js";
import { MemoryStore } from "./support/memory-store.js";

/** The problems of options that a JavaScript caller may give. */
function problemsOf(options: unknown): readonly string[] {
  try {
    Reflect.apply(decisionLog, undefined, [options]);
  } catch (error) {
    if (error instanceof DecernError) return error.problems.map(({ path }) => path);
    throw error;
  }
  return [];
}

describe("the options of a log", () => {
  it("are all reported at once when they are wrong", () => {
    expect(
      problemsOf({
        store: {},
        build: "",
        mask: { a: ["input/x", "/output", "/input/~2"], b: "/input" },
        subject: { key: ["short"], of: { a: "id" } },
        sample: { a: { OK: 1.5, ERROR: 0.1 } },
        durable: "never",
        intervalMs: 0,
        onFull: "wait",
        maxPendingBytes: -1,
        writeTimeoutMs: "5s",
        headEveryMs: 1.5,
        logger: {},
        masks: {},
      }),
    ).toEqual([
      "/masks",
      "/store",
      "/build",
      "/mask/a/0",
      "/mask/a/1",
      "/mask/a/2",
      "/mask/b",
      "/subject/key/0",
      "/subject/of/a",
      "/sample/a/ERROR",
      "/sample/a/OK",
      "/durable",
      "/intervalMs",
      "/onFull",
      "/maxPendingBytes",
      "/writeTimeoutMs",
      "/headEveryMs",
      "/logger/error",
    ]);
  });

  it("need a store", () => {
    expect(problemsOf({})).toEqual(["/store"]);
    expect(problemsOf(undefined)).toEqual([""]);
    expect(problemsOf({ store: new MemoryStore() })).toEqual([]);
  });

  it("need both a key and names of a subject", () => {
    expect(problemsOf({ store: new MemoryStore(), subject: {} })).toEqual(["/subject/key", "/subject/of"]);
  });
});
