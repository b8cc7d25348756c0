import { DecernError } from "@decern/core";
import fastify from "fastify";
import { expect, it } from "vitest";
import { warehousePlugin } from "../src/fastify.js";
import { createWarehouseFunction, createWarehouseHandler } from "../src/index.js";
import { loan } from "./support/decisions.js";

function problemsOf(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof DecernError && error.code === "INVALID_OPTIONS")
      return error.problems.map(({ path }) => path);
    throw error;
  }
  return [];
}

it.each([
  ['{"columns":["amount"],"engine":"bigquery","authenticate":"host"}', []],
  [
    '{"engine":"redshift","authenticate":"nobody","bodyLimit":0,"overload":{},"emit":"xml","profiles":1}',
    ["/profiles", "/columns", "/engine", "/authenticate", "/bodyLimit", "/overload", "/emit"],
  ],
  ["{}", ["/columns", "/engine", "/authenticate"]],
  ['{"columns":[],"engine":"bigquery","authenticate":"host"}', ["/columns"]],
  [
    '{"columns":["amount","amount","a..b","__proto__.x"],"engine":"bigquery","authenticate":"host"}',
    ["/columns/2", "/columns/3"],
  ],
  [
    '{"columns":["amount","amount","applicant","applicant.score"],"engine":"bigquery","authenticate":"host"}',
    ["/columns/1", "/columns/3"],
  ],
  ['{"columns":["amounts"],"engine":"bigquery","authenticate":"host"}', ["/columns/0"]],
])("refuses what is wrong in %s", (given, paths) => {
  const options = { ...JSON.parse(given), decision: loan };
  expect(problemsOf(() => createWarehouseHandler(options)).toSorted()).toEqual([...paths].toSorted());
});

it("refuses what is no decision, and what is no object", () => {
  const wrong = JSON.parse('{"decision":{},"columns":["a"],"engine":"redshift"}');
  expect(problemsOf(() => createWarehouseFunction(wrong))).toEqual(["/decision"]);
  expect(problemsOf(() => createWarehouseFunction(JSON.parse("null")))).toEqual([""]);
  expect(problemsOf(() => createWarehouseHandler(JSON.parse("null")))).toEqual([""]);
});

it("takes emit for Snowflake only, where Lambda is concerned: Redshift reads text", () => {
  const options = JSON.parse('{"columns":["amount"],"emit":"json"}');
  expect(
    problemsOf(() => createWarehouseFunction({ ...options, decision: loan, engine: "redshift" })),
  ).toEqual(["/emit"]);
  expect(
    problemsOf(() => createWarehouseFunction({ ...options, decision: loan, engine: "snowflake" })),
  ).toEqual([]);
});

it("the plugin leaves the parsers of other routes alone, and takes Fastify's options of register", async () => {
  const app = fastify();
  app.post("/other", async (request) => request.body);
  const options = { engine: "snowflake", decision: loan, columns: ["amount"], authenticate: "host" } as const;
  await app.register(warehousePlugin, { ...options, prefix: "/sql", path: "/loans", logLevel: "silent" });
  const own = await app.inject({ method: "POST", url: "/sql/loans", payload: { data: [[0, 1]] } });
  expect(own.json().data[0][1].status).toBe("OK");
  expect((await app.inject({ method: "POST", url: "/other", payload: { a: 1 } })).json()).toEqual({ a: 1 });
  await app.close();
});
