import { gzipSync } from "node:zlib";
import { defineDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createWarehouseFunction } from "../src/index.js";
import { add, loan, silent } from "./support/decisions.js";
import { hosts } from "./support/hosts.js";

const echo = defineDecision({
  id: "echo",
  version: "1.0.0",
  inputSchema: z.object({ length: z.int() }),
  outputSchema: z.string(),
  profileSchema: z.object({}),
  rules: [{ id: "echo", when: () => true, emit: ({ length }) => "x".repeat(length) }],
});
const options = { decision: echo, columns: ["length"] } as const;

/** Sends rows that are answered with texts of a length. */
type Send = (
  rows: number,
  length: number,
) => Promise<{ readonly isAnswered: boolean; readonly text: string }>;

const rowsOf = (rows: number, length: number) => Array.from({ length: rows }, (_, index) => [index, length]);

const redshift: Send = async (rows, length) => {
  const answer = createWarehouseFunction({ ...options, engine: "redshift" });
  const list = rowsOf(rows, length).map(([, argument]) => [argument]);
  const text = await answer({ num_records: rows, arguments: list });
  return { isAnswered: JSON.parse(text).success, text };
};

const gateway: Send = async (rows, length) => {
  const answer = createWarehouseFunction({ ...options, engine: "snowflake" });
  const { statusCode, body } = await answer({ body: JSON.stringify({ data: rowsOf(rows, length) }) });
  return { isAnswered: statusCode === 200, text: body };
};

const overHttp =
  (engine: "bigquery" | "snowflake"): Send =>
  async (rows, length) => {
    const [, serve] = hosts[0] ?? [];
    if (serve === undefined) throw new Error("no host");
    const ask = await serve({ ...options, engine, authenticate: "host" });
    const list = rowsOf(rows, length);
    const body = engine === "snowflake" ? { data: list } : { calls: list.map(([, argument]) => [argument]) };
    const { status, text } = await ask(JSON.stringify(body));
    expect([200, 400]).toContain(status);
    return { isAnswered: status === 200, text };
  };

const MiB = 1024 * 1024;

describe.each([
  ["Redshift: 5 MB", 5e6, "MAX_BATCH_ROWS", redshift],
  ["Snowflake, from Lambda: 6 MB", 6e6, "MAX_BATCH_ROWS", gateway],
  ["Snowflake: 10 MB", 10e6, "MAX_BATCH_ROWS", overHttp("snowflake")],
  ["BigQuery, from Cloud Run: 32 MiB", 32 * MiB, "max_batching_rows", overHttp("bigquery")],
])("a reply above the limit of %s", (_name, limit, setting, send) => {
  it("is refused with the number of rows that fit, and that number fits", async () => {
    const rows = 50;
    const length = Math.ceil(limit / rows);
    const refused = await send(rows, length);
    expect(refused.isAnswered).toBe(false);
    const [, most] = new RegExp(`Create the function with ${setting} (\\d+)`).exec(refused.text) ?? [];
    expect(Number(most)).toBeGreaterThan(rows / 2);
    expect((await send(Number(most), length)).isAnswered).toBe(true);
  });

  it("is refused without such advice when it has one row", async () => {
    const { isAnswered, text } = await send(1, limit);
    expect({
      isAnswered,
      hasOneRow: text.includes("it has one row"),
      hasSetting: text.includes(setting),
    }).toEqual({ isAnswered: false, hasOneRow: true, hasSetting: false });
  });
});

describe("a message", () => {
  it.each(["é", "😀", "€", "x😀"])(
    "of many %s has fewer than 1,024 bytes, and no half character",
    async (text) => {
      const [, serve] = hosts[0] ?? [];
      for (let extra = 0; extra < 4; extra += 1) {
        const message = "x".repeat(extra) + text.repeat(3000);
        const ask = await serve?.({
          engine: "bigquery",
          decision: add,
          columns: ["a"],
          logger: silent,
          authenticate: () => {
            throw Object.assign(new Error(message), { statusCode: 403 });
          },
        });
        const reply = await ask?.('{"calls":[[1]]}');
        expect(reply?.status).toBe(403);
        const { errorMessage } = JSON.parse(reply?.text ?? "");
        expect(Buffer.byteLength(errorMessage)).toBeLessThan(1024);
        expect(Buffer.byteLength(errorMessage)).toBeGreaterThan(800);
        expect(errorMessage.isWellFormed()).toBe(true);
        const [shown] = errorMessage.split(" (");
        expect(message.startsWith(shown)).toBe(true);
      }
    },
  );

  it("repeats nothing that a request sent", async () => {
    const answer = createWarehouseFunction({ engine: "redshift", decision: add, columns: ["a", "b"] });
    const secret = "the secret of a row";
    const events = [
      { num_records: secret, arguments: [] },
      { num_records: { toString: 1, valueOf: 1 }, arguments: [] },
      { num_records: 1, arguments: [secret] },
      { num_records: 1, arguments: [[secret]] },
      { request_id: secret, num_records: 2, arguments: [] },
    ];
    for (const event of events) {
      const { error_msg: message } = JSON.parse(await answer(event));
      expect(message).toMatch(/\(BAD_REQUEST\)$/);
      expect(message).not.toContain(secret);
    }
  });
});

it("refuses a compressed body of API Gateway that inflates to too much, or is cut", async () => {
  const answer = createWarehouseFunction({ engine: "snowflake", decision: loan, columns: ["amount"] });
  const send = async (bytes: Buffer) => {
    const { statusCode, body } = await answer({ body: bytes.toString("base64"), isBase64Encoded: true });
    return [statusCode, JSON.parse(body).code];
  };
  expect(await send(gzipSync(Buffer.alloc(17 * MiB, " ")))).toEqual([413, "BODY_TOO_LARGE"]);
  expect(await send(gzipSync('{"data":[[0,1]]}').subarray(0, 15))).toEqual([400, "BAD_REQUEST"]);
});
