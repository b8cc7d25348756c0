import { DecernError } from "@decern/core";
import type { RecordStore } from "@decern/decision-log";
import { describe, expect, it } from "vitest";
import { migrate, type PostgresPool, postgres } from "../../src/log.js";

const pool: PostgresPool = {
  query: () => Promise.reject(new Error("must not be asked")),
  connect: () => Promise.reject(new Error("must not be asked")),
  on: () => {},
  off: () => {},
};

/** Calls with options that no compiler has checked. */
function make(options: unknown): RecordStore {
  return Reflect.apply(postgres, undefined, [options]);
}

const pathsOf = (run: () => unknown): readonly string[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof DecernError && error.code === "INVALID_OPTIONS") {
      return error.problems.map(({ path }) => path);
    }
    throw error;
  }
  return [];
};

describe("options that are wrong are refused, all at once", () => {
  it.each([
    [{ pool }, []],
    [{ pool, schema: 'Audit "log"', keepDays: 800 }, []],
    [{}, ["/pool"]],
    [undefined, [""]],
    [{ pool: { query() {} } }, ["/pool/connect", "/pool/on", "/pool/off"]],
    [{ pool, schema: "", keepDays: 0 }, ["/schema", "/keepDays"]],
    [{ pool, schema: "é".repeat(32), keepDays: 1.5 }, ["/schema", "/keepDays"]],
    [{ pool, schema: "a\0b" }, ["/schema"]],
    [{ pool, keepMonths: 3 }, ["/keepMonths"]],
  ])("%j", (options, paths) => {
    expect(pathsOf(() => make(options))).toEqual(paths);
  });

  it("by migrate too, before it asks the database", async () => {
    await expect(migrate(pool, { monthsAhead: -1, schema: "" })).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path: "/schema" }, { path: "/monthsAhead" }],
    });
  });
});

it("asks the database for nothing when it is made", () => {
  expect(pathsOf(() => postgres({ pool }))).toEqual([]);
});
