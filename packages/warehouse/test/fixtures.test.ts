import { gzipSync } from "node:zlib";
import { defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createWarehouseFunction } from "../src/index.js";
import { add } from "./support/decisions.js";
import { hosts } from "./support/hosts.js";

// Every body here is from the documentation of a vendor. Replies are compared with what the vendor's own sample replies.

describe("BigQuery", () => {
  // https://cloud.google.com/bigquery/docs/remote-functions#input_format
  const request = `{
 "requestId": "124ab1c",
 "caller": "//bigquery.googleapis.com/projects/myproject/jobs/myproject:US.bquxjob_5b4c112c_17961fafeaf",
 "sessionUser": "test-user@test-company.com",
 "userDefinedContext": {
  "key1": "value1",
  "key2": "v2"
 },
 "calls": [
  [null, 1, "", "abc"],
  ["abc", "9007199254740993", null, null]
 ]
}`;
  const echo = defineDecision({
    id: "echo",
    version: "1.0.0",
    inputSchema: z.object({
      first: z.string().optional(),
      second: z.string(),
      third: z.string().nullable(),
      fourth: z.string().optional(),
    }),
    outputSchema: z.string(),
    profileSchema: z.object({}),
    rules: [{ id: "echo", when: () => true, emit: (input) => JSON.stringify(input) }],
  });

  it.each(hosts)("%s answers the request of the documentation", async (_name, serve) => {
    const columns = ["first", "second", "third", "fourth"] as const;
    const ask = await serve({ engine: "bigquery", decision: echo, columns, authenticate: "host" });
    const { status, text } = await ask(request);
    expect(status).toBe(200);
    const { replies } = JSON.parse(text);
    expect(replies).toHaveLength(2);
    expect(replies.map((reply: string) => JSON.parse(JSON.parse(reply).data))).toEqual([
      { second: "1", third: "", fourth: "abc" },
      // An INT64 that no number of JavaScript can hold.
      { first: "abc", second: "9007199254740993", third: null },
    ]);
  });

  it.each(hosts)("%s fails as the documentation says, in less than 1 KB", async (_name, serve) => {
    const columns = ["a", "b"] as const;
    const ask = await serve({ engine: "bigquery", decision: add, columns, authenticate: "host" });
    const { status, text } = await ask(request);
    // Not 408, 429, 500, 503 or 504, which BigQuery retries.
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      errorMessage: "Bad request: row 0 has 4 arguments, but 2 columns are configured: a, b (BAD_REQUEST)",
    });
    expect(Buffer.byteLength(text)).toBeLessThan(1024);
  });
});

describe("Snowflake", () => {
  // https://docs.snowflake.com/en/sql-reference/external-functions-data-format#body-example
  const request = `{
    "data": [
                [0, 10, "Alex", "2014-01-01 16:00:00"],
                [1, 20, "Steve", "2015-01-01 16:00:00"],
                [2, 30, "Alice", "2016-01-01 16:00:00"],
                [3, 40, "Adrian", "2017-01-01 16:00:00"]
            ]
}`;
  const greet = defineDecision({
    id: "greet",
    version: "1.0.0",
    inputSchema: z.object({ age: z.int(), name: z.string(), at: z.string() }),
    outputSchema: z.object({ City: z.string() }),
    profileSchema: z.object({}),
    rules: [{ id: "all", when: () => true, emit: ({ age, name, at }) => ({ City: `${name} ${age} ${at}` }) }],
  });
  const options = {
    engine: "snowflake",
    decision: greet,
    columns: ["age", "name", "at"],
  } as const;
  // The shape of https://docs.snowflake.com/en/sql-reference/external-functions-data-format#body-access-example:
  // the row's number and an OBJECT, which SQL reads as val:City.
  const expected = {
    data: [
      [0, { status: "OK", data: { City: "Alex 10 2014-01-01 16:00:00" }, matchedRule: "all" }],
      [1, { status: "OK", data: { City: "Steve 20 2015-01-01 16:00:00" }, matchedRule: "all" }],
      [2, { status: "OK", data: { City: "Alice 30 2016-01-01 16:00:00" }, matchedRule: "all" }],
      [3, { status: "OK", data: { City: "Adrian 40 2017-01-01 16:00:00" }, matchedRule: "all" }],
    ],
  };

  it.each(hosts)("%s answers the request of the documentation", async (_name, serve) => {
    const { status, text } = await (await serve({ ...options, authenticate: "host" }))(request);
    expect({ status, text: JSON.parse(text) }).toEqual({ status: 200, text: expected });
  });

  it("is answered by a Lambda function behind API Gateway", async () => {
    const answer = createWarehouseFunction(options);
    // statusCode, body and headers: https://docs.snowflake.com/en/sql-reference/external-functions-data-format#response-creation-example
    const plain = await answer({ headers: { "Content-Encoding": "gzip" }, body: request });
    expect({ statusCode: plain.statusCode, body: JSON.parse(plain.body) }).toEqual({
      statusCode: 200,
      body: expected,
    });
    const encoded = await answer({ body: Buffer.from(request).toString("base64"), isBase64Encoded: true });
    expect(encoded).toEqual(plain);
    // Without minimumCompressionSize, API Gateway passes on what Snowflake compressed.
    const compressed = await answer({
      headers: { "Content-Encoding": "gzip" },
      body: gzipSync(request).toString("base64"),
      isBase64Encoded: true,
    });
    expect(compressed).toEqual(plain);
    expect(await answer({ body: "[" })).toMatchObject({ statusCode: 400 });
    expect(await answer({})).toMatchObject({ statusCode: 400 });
  });
});

describe("Redshift", () => {
  // https://docs.aws.amazon.com/redshift/latest/dg/udf-creating-a-lambda-sql-udf.html#udf-lambda-json
  const event = {
    request_id: "23FF1F97-F28A-44AA-AB67-266ED976BF40",
    cluster: "arn:aws:redshift:xxxx",
    user: "adminuser",
    database: "db1",
    external_function: "public.foo",
    query_id: 5678234,
    num_records: 4,
    arguments: [[1, 2], [3, null], null, [4, 6]],
  };
  const options = { engine: "redshift", decision: add, columns: ["a", "b"] } as const;

  it("is answered as the documentation says, NULL for NULL", async () => {
    const reply = JSON.parse(await createWarehouseFunction(options)(event));
    expect(reply).toMatchObject({ success: true, num_records: 4 });
    expect(reply).not.toHaveProperty("error_msg");
    expect(
      reply.results.map((result: string | null) => (result === null ? null : JSON.parse(result))),
    ).toEqual([
      { status: "OK", data: 3, matchedRule: "sum" },
      { status: "OK", data: 3, matchedRule: "sum" },
      null,
      { status: "OK", data: 10, matchedRule: "sum" },
    ]);
  });

  it("gets error_msg for what is no event of it", async () => {
    const answer = createWarehouseFunction(options);
    const wrong = [
      { ...event, num_records: 3 },
      { ...event, arguments: [[1]] },
      {},
      null,
      "x",
      { arguments: [1] },
    ];
    for (const one of wrong) {
      const { success, error_msg: message, ...rest } = JSON.parse(await answer(one));
      expect({ success, rest }).toEqual({ success: false, rest: {} });
      expect(message).toMatch(/\(BAD_REQUEST\)$/);
    }
  });

  it("takes a row of one argument with and without its list", async () => {
    const answer = createWarehouseFunction({ engine: "redshift", decision: add, columns: ["b"] });
    const { results } = JSON.parse(await answer({ num_records: 2, arguments: [[1], 2] }));
    expect(results.map((result: string) => JSON.parse(result).data)).toEqual([1, 2]);
  });
});
