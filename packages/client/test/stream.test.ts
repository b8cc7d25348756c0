import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type BatchItem, createClient } from "../src/index.js";
import { batched, overloaded, reply } from "./support/answers.js";
import type { decisions } from "./support/decisions.js";
import { type Answer, serve } from "./support/service.js";

/** Nothing here is decided by time, however slow the machine is. */
const timeoutMs = Number.POSITIVE_INFINITY;

const input = (amount: number) => ({ amount, score: 700 });
const clientOf = (url: string) => createClient<typeof decisions>({ url, timeoutMs })["loan-approval"];

/** As many inputs as are taken. */
function* numbered(count: number, taken = { count: 0 }) {
  for (; taken.count < count; ) {
    taken.count += 1;
    yield input(taken.count);
  }
}

async function all(items: AsyncIterable<BatchItem>): Promise<readonly BatchItem[]> {
  const list: BatchItem[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe("a stream", () => {
  it("returns an item for each input, in their order, faults included", async () => {
    const { url, seen } = await serve(batched);
    const items = await all(clientOf(url).stream([input(1), input(13), input(9e9), input(Number.NaN)]));
    expect(items.map((item) => item.status ?? item.code)).toEqual([
      "OK",
      "EVALUATION_FAILED",
      "NO_MATCH",
      "INVALID_INPUT",
    ]);
    expect(seen).toMatchObject([
      { url: "/decisions/loan-approval/batch", headers: { "content-type": "application/x-ndjson" } },
    ]);
    expect(seen[0]?.text).toBe(
      [1, 13, 9e9, "null"].map((amount) => `{"amount":${amount},"score":700}\n`).join(""),
    );
  });

  it("sends no request for no inputs", async () => {
    const { url, seen } = await serve(batched);
    expect(await all(clientOf(url).stream([]))).toEqual([]);
    expect(seen).toEqual([]);
  });

  it("splits 2,500 inputs into requests of at most 1,000", async () => {
    const { url, seen } = await serve(batched);
    const items = await all(
      clientOf(url).stream(numbered(2500), { version: "1.0.0", requestId: "night-run" }),
    );
    expect(items).toHaveLength(2500);
    expect(seen.map(({ text }) => text.trim().split("\n").length)).toEqual([1000, 1000, 500]);
    for (const one of seen) {
      expect(one.url).toBe("/decisions/loan-approval/versions/1.0.0/batch");
      expect(one.headers["x-request-id"]).toBe("night-run");
    }
  });

  it("splits long inputs by their length", async () => {
    const { url, seen } = await serve(batched);
    const long = { amount: 1, score: 700, note: "x".repeat(100_000) };
    expect(await all(clientOf(url).stream([long, long, long, long]))).toHaveLength(4);
    expect(seen.map(({ text }) => text.trim().split("\n").length)).toEqual([3, 1]);
  });

  it("takes no more inputs than it has room for while nobody takes its items", async () => {
    const { url, seen } = await serve(batched);
    const taken = { count: 0 };
    const items = clientOf(url).stream(numbered(1e9, taken));
    expect(taken.count).toBe(0);
    await items.next();
    expect(taken.count).toBe(1000);
    expect(seen).toHaveLength(1);
    for (let count = 1; count <= 1000; count += 1) await items.next();
    expect(taken.count).toBe(2000);
    await items.return();
    expect(seen).toHaveLength(2);
  });

  it("sends what a slow source has given, without waiting for the rest", async () => {
    const { url, seen } = await serve(batched);
    const answered: BatchItem[] = [];
    async function* slow() {
      yield input(1);
      // Not before the first one is answered.
      while (answered.length === 0) await turn();
      yield input(9e9);
    }
    for await (const item of clientOf(url).stream(slow())) answered.push(item);
    expect(answered.map(({ status }) => status)).toEqual(["OK", "NO_MATCH"]);
    expect(seen).toHaveLength(2);
  });

  it("ends its source when it is left, even one that never gives another input", async () => {
    const { url } = await serve(batched);
    let ended = false;
    const source = {
      [Symbol.asyncIterator]: () => {
        let count = 0;
        return {
          next: () => {
            count += 1;
            return count === 1
              ? Promise.resolve({ value: input(1), done: false as const })
              : new Promise<never>(() => {});
          },
          return: () => {
            ended = true;
            return new Promise<never>(() => {});
          },
        };
      },
    };
    for await (const item of clientOf(url).stream(source)) {
      expect(item.status).toBe("OK");
      break;
    }
    expect(ended).toBe(true);
  });

  it("rejects with the error of its source", async () => {
    const { url } = await serve(batched);
    const error = new Error("disk");
    async function* failing() {
      yield* numbered(1000);
      throw error;
    }
    const answered: BatchItem[] = [];
    const items = clientOf(url).stream(failing());
    await expect(
      (async () => {
        for await (const item of items) answered.push(item);
      })(),
    ).rejects.toBe(error);
    expect(answered).toHaveLength(1000);
  });
});

const done = (count: number) => JSON.stringify({ done: true, count });
const envelope = JSON.stringify({ status: "OK", data: {}, meta: {} });

describe("a reply in lines", () => {
  it.each([
    ["without its last line", `${envelope}\n${envelope}\n`],
    ["within a line", `${envelope}\n{"status":"O`],
    ["with another count", `${envelope}\n${envelope}\n${done(3)}\n`],
    ["with too few items", `${envelope}\n${done(1)}\n`],
    ["with too few items for its count", `${envelope}\n${done(2)}\n`],
    ["empty", ""],
  ])("that breaks off %s is asked for again", async (_, text) => {
    const { url, seen } = await serve(reply(200, text), batched);
    expect(await all(clientOf(url).stream([input(1), input(2)]))).toHaveLength(2);
    expect(seen).toHaveLength(2);
    expect(seen[0]?.text).toBe(seen[1]?.text);
  });

  it("that breaks off each time is an error, after the items before it", async () => {
    let requests = 0;
    const once: Answer = (request, response) => {
      requests += 1;
      return (requests === 1 ? batched : reply(200, `${envelope}\n`))(request, response);
    };
    const { url } = await serve(once);
    const items = clientOf(url).stream(numbered(1001), { retries: 0 });
    for (let count = 1; count <= 1000; count += 1) await items.next();
    await expect(items.next()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  });

  it("that is a page of a proxy is not asked for again", async () => {
    const { url, seen } = await serve(reply(200, "<h1>Sign in</h1>"));
    await expect(all(clientOf(url).stream([input(1)]))).rejects.toMatchObject({
      code: "UNEXPECTED_REPLY",
      status: 200,
    });
    expect(seen).toHaveLength(1);
  });

  it.each(['{"status":"NO_MA', "null", "[]", "5", "{}", '{"status":"OK"}'])(
    "with an item that is none is an error: %s",
    async (line) => {
      const { url, seen } = await serve(reply(200, `${envelope}\n${line}\n${done(2)}\n`));
      await expect(all(clientOf(url).stream([input(1), input(2)]))).rejects.toMatchObject({
        code: "UNEXPECTED_REPLY",
        status: 200,
      });
      expect(seen).toHaveLength(1);
    },
  );

  it("is asked for again when the service is busy", async () => {
    const { url, seen } = await serve(overloaded({ "retry-after": "0" }), batched);
    expect(await all(clientOf(url).stream([input(1)]))).toHaveLength(1);
    expect(seen).toHaveLength(2);
  });

  it("that is an error is one", async () => {
    const { url } = await serve(reply(404, { error: "Decision not found: x", code: "DECISION_NOT_FOUND" }));
    const items = clientOf(url).stream([input(1)]);
    await expect(items.next()).rejects.toMatchObject({ code: "DECISION_NOT_FOUND", status: 404 });
  });

  it("is not waited for once the signal is aborted", async () => {
    const controller = new AbortController();
    const { url } = await serve(() => controller.abort());
    const items = clientOf(url).stream([input(1)], { signal: controller.signal });
    await expect(items.next()).rejects.toMatchObject({ code: "ABORTED" });
  });
});
