import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loan, silent } from "./support/decisions.js";
import { hosts } from "./support/hosts.js";

const options = { decision: loan, columns: ["amount"], logger: silent, authenticate: "host" } as const;
const bigquery = { ...options, engine: "bigquery" } as const;
const snowflake = { ...options, engine: "snowflake" } as const;
/** What BigQuery or Snowflake send again. */
const retried = (status: number): boolean => status === 408 || status === 429 || status >= 500;

describe.each(hosts)("%s", (name, serve) => {
  const parsesItself = !name.includes("parsed");

  it("fails a query that no retry can save, at once and in few words", async () => {
    const ask = await serve(bigquery);
    const bodies = [
      "",
      "{",
      "null",
      "[]",
      '"calls"',
      "{}",
      '{"calls":{}}',
      '{"calls":[1]}',
      '{"calls":[null]}',
      '{"calls":[[1],[1,2]]}',
      '{"calls":[[]]}',
      `{"calls":[[${"[".repeat(100_000)}${"]".repeat(100_000)},1]]}`,
    ];
    for (const body of parsesItself ? bodies : bodies.slice(5)) {
      const { status, text } = await ask(body);
      expect(retried(status), text).toBe(false);
      expect(status).toBe(400);
      expect(Object.keys(JSON.parse(text))).toEqual(["errorMessage"]);
      expect(Buffer.byteLength(JSON.parse(text).errorMessage)).toBeLessThan(1024);
    }
  });

  it("refuses a Snowflake row without its number, or with that of another row", async () => {
    const ask = await serve(snowflake);
    for (const row of ['["0",1]', "[null,1]", "[0.5,1]", "[-1,1]", "[1e16,1]", "[0]", "[]", "[7,1],[7,2]"]) {
      const { status, text } = await ask(`{"data":[${row}]}`);
      expect({ status, code: JSON.parse(text).code }).toEqual({ status: 400, code: "BAD_REQUEST" });
    }
  });

  it("answers a hostile row in its place", async () => {
    const ask = await serve(snowflake);
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    const { status, text } = await ask(
      `{"data":[[0,1],[1,{"__proto__":{"x":1}}],[2,{"constructor":{"prototype":{}}}],[3,${deep}],[4,2]],"more":1}`,
    );
    expect(status).toBe(200);
    const codes = JSON.parse(text).data.map(
      ([, { code, status: own }]: [number, { code?: string; status: string }]) => code ?? own,
    );
    expect(codes).toEqual(["OK", "FORBIDDEN_KEY", "FORBIDDEN_KEY", "INVALID_INPUT", "OK"]);
  });

  it.runIf(parsesItself)(
    "refuses a body over the limit with 413, whether or not it is compressed",
    async () => {
      const ask = await serve({ ...bigquery, bodyLimit: 1000 });
      const body = `{"calls":[[1]],"x":"${"x".repeat(2000)}"}`;
      expect((await ask(body)).status).toBe(413);
      const bomb = await ask(gzipSync(body), { "content-encoding": "gzip" });
      expect({ status: bomb.status, errorMessage: JSON.parse(bomb.text).errorMessage }).toEqual({
        status: 413,
        errorMessage: "Request body is too large (BODY_TOO_LARGE)",
      });
      expect((await ask('{"calls":[[1]]}')).status).toBe(200);
    },
  );

  it("reads up to 16 MiB, more than frameworks do by default", async () => {
    const ask = await serve(bigquery);
    const padding = (bytes: number) => `{"calls":[[1]],"x":"${"x".repeat(bytes)}"}`;
    expect((await ask(padding(15 * 1024 * 1024))).status).toBe(200);
    if (parsesItself) expect((await ask(padding(16 * 1024 * 1024))).status).toBe(413);
  });

  it("inflates what Snowflake compresses", async () => {
    const ask = await serve(snowflake);
    const body = '{"data":[[0,1]]}';
    expect((await ask(gzipSync(body), { "content-encoding": "gzip" })).status).toBe(200);
    expect((await ask(deflateSync(body), { "content-encoding": "deflate" })).status).toBe(200);
  });

  it.runIf(parsesItself)(
    "refuses an encoding that it does not know, and one that is not what it says",
    async () => {
      const ask = await serve(snowflake);
      expect((await ask("x", { "content-encoding": "zstd" })).status).toBe(415);
      expect((await ask("x", { "content-encoding": "gzip" })).status).toBe(400);
    },
  );

  it("reads a body whatever its content type is", async () => {
    const ask = await serve(snowflake);
    const types = parsesItself ? ["text/plain", "application/json; charset=utf-8"] : ["application/json"];
    for (const type of types)
      expect((await ask('{"data":[[0,1]]}', { "content-type": type })).status).toBe(200);
  });
});
