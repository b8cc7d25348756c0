import { describe, expect, it } from "vitest";
import { createWarehouseFunction } from "../src/index.js";
import { loan, silent } from "./support/decisions.js";
import { hosts } from "./support/hosts.js";

const options = {
  decision: loan,
  columns: ["amount", "name", "note", "vip", "applicant.score", "applicant.tags"],
  logger: silent,
} as const;
const bigquery = { ...options, engine: "bigquery", authenticate: "host" } as const;
const snowflake = { ...options, engine: "snowflake", authenticate: "host" } as const;

const large = Array.from({ length: 10_000 }, (_, index) => [index, `n${index}`, null, false, null, null]);

describe.each(hosts)("%s", (_name, serve) => {
  it("answers each of 10,000 rows in its place", async () => {
    const ask = await serve(bigquery);
    const { status, text } = await ask(JSON.stringify({ calls: large }));
    expect(status).toBe(200);
    const replies = JSON.parse(text).replies.map((reply: string) => JSON.parse(reply));
    expect(replies).toHaveLength(large.length);
    for (const [index, reply] of replies.entries()) {
      if (index === 13)
        expect(reply).toEqual({ status: "ERROR", code: "EVALUATION_FAILED", error: "Evaluation failed" });
      else if (index > 1000) expect(reply.matchedRule).toBe("large");
      else expect(reply.data.text).toBe(`n${index} null - -`);
    }
  });

  it("answers one invalid row of a thousand with a value, and keeps the numbers of rows", async () => {
    const ask = await serve(snowflake);
    const rows = Array.from({ length: 1000 }, (_, index) => [
      index + 5,
      index === 500 ? -1 : 20,
      "a",
      null,
      null,
      1,
      null,
    ]);
    const { status, text } = await ask(JSON.stringify({ data: rows }));
    expect(status).toBe(200);
    const { data } = JSON.parse(text);
    expect(data.map(([number]: [number]) => number)).toEqual(rows.map(([number]) => number));
    const invalid = data.filter(([, answer]: [number, { status: string }]) => answer.status !== "OK");
    expect(invalid).toEqual([
      [505, { status: "INVALID_INPUT", errors: [expect.objectContaining({ path: "/amount" })] }],
    ]);
  });

  it("answers what no rule decides, and an empty list", async () => {
    const ask = await serve(snowflake);
    expect((await ask('{"data":[[0,2e6,null,null,null,null,null]]}')).text).toBe(
      '{"data":[[0,{"status":"NO_MATCH"}]]}',
    );
    expect((await ask('{"data":[]}')).text).toBe('{"data":[]}');
  });

  it("writes text or JSON as it is told", async () => {
    const one = JSON.stringify({
      calls: [[1, null, null, null, null, null]],
      data: [[0, 1, null, null, null, null, null]],
    });
    const answer = { status: "OK", data: { approved: true, text: "nobody null - -" }, matchedRule: "small" };
    const text = JSON.stringify(answer);
    const of = async (given: Parameters<typeof serve>[0]) =>
      JSON.parse((await (await serve(given))(one)).text);
    expect(await of(bigquery)).toEqual({ replies: [text] });
    expect(await of({ ...bigquery, emit: "json" })).toEqual({ replies: [answer] });
    expect(await of(snowflake)).toEqual({ data: [[0, answer]] });
    expect(await of({ ...snowflake, emit: "text" })).toEqual({ data: [[0, text]] });
  });
});

it("a Lambda function answers each of 10,000 rows in its place", async () => {
  const answer = createWarehouseFunction({ ...options, engine: "redshift" });
  const { results } = JSON.parse(await answer({ num_records: large.length, arguments: large }));
  expect(results).toHaveLength(large.length);
  expect(JSON.parse(results[999]).data.text).toBe("n999 null - -");
  expect(JSON.parse(results[13]).status).toBe("ERROR");
});
