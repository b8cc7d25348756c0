import { DecernError } from "@decern/core";
import pg from "pg";
import { expect, it } from "vitest";
import { postgresChunks, postgresInbox } from "../../src/bulk.js";
import { march } from "./support.js";

const pool = new pg.Pool();

function problemsOf(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof DecernError && error.code === "INVALID_OPTIONS")
      return error.problems.map(({ path }) => path).toSorted();
    throw error;
  }
  return [];
}

it("refuses an inbox with wrong options, with every problem", () => {
  const wrong: object = { name: "", schema: "x".repeat(64), batchTimeoutMs: 0, endWhenEmpty: 1, lanes: 2 };
  // @ts-expect-error The types refuse it as well.
  expect(problemsOf(() => postgresInbox(wrong))).toEqual(
    ["/pool", "/name", "/schema", "/batchTimeoutMs", "/endWhenEmpty", "/lanes"].toSorted(),
  );
  expect(problemsOf(() => postgresInbox({ pool, name: "loans" }))).toEqual([]);
});

it("refuses names that PostgreSQL would store otherwise", () => {
  for (const name of ["half \ud800", "nul \0", "é".repeat(101)])
    expect(problemsOf(() => postgresInbox({ pool, name, schema: name }))).toEqual(["/name", "/schema"]);
  expect(problemsOf(() => postgresInbox({ pool, name: "雪 \ud83d\ude00", schema: "é".repeat(31) }))).toEqual(
    [],
  );
});

it("refuses a pool that would wait for itself", () => {
  expect(problemsOf(() => postgresInbox({ pool: new pg.Pool({ max: 1 }), name: "loans" }))).toEqual([
    "/pool",
  ]);
  expect(problemsOf(() => postgresInbox({ pool: new pg.Pool({ max: 2 }), name: "loans" }))).toEqual([]);
});

it("refuses chunks with wrong options, with every problem", () => {
  const right = { ...march, pool };
  expect(problemsOf(() => postgresChunks(right))).toEqual([]);
  expect(problemsOf(() => postgresChunks({ ...right, columns: ["a"], input: "t.a" }))).toEqual([""]);
  expect(problemsOf(() => postgresChunks({ ...right, columns: [], now: new Date("x") }))).toEqual([
    "/columns",
    "/now",
  ]);
  const wrong: object = { ...right, key: ["id", "day"], revision: { id: "loan" }, job: "\0" };
  // @ts-expect-error The types refuse it as well.
  expect(problemsOf(() => postgresChunks(wrong))).toEqual(["/job", "/key", "/revision/version"]);
});
