import { once } from "node:events";
import { connect } from "node:net";
import { defineDecision, type SourceLoad } from "@decern/core";
import { describe, expect, it } from "vitest";
import { watchProfiles } from "../../../../test/support/watch.js";
import { createServer } from "../../src/index.js";
import { Arrivals } from "../support/deferred.js";
import { gate, LineClient, linesOf, listening, nextOf, noted, schemas, summary } from "./service.js";

const url = "/decisions/noted/batch";
const listOf = (...numbers: readonly number[]) => ({ inputs: numbers.map((n) => ({ n })) });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => 1000 + index);

describe("back-pressure", () => {
  it("keeps a client from sending while it does not read, and loses nothing", async () => {
    let evaluated = 0;
    const { port } = await listening({
      profiles: { noted: { length: 1000 } },
      observers: [
        {
          onEvaluated: () => {
            evaluated += 1;
          },
        },
      ],
      writeTimeoutMs: 600_000,
    });
    const total = 60_000;
    const client = new LineClient(port);
    const [response] = await Promise.all([once(client.request, "response"), client.write(linesOf(1))]);
    const sending = (async () => {
      for (let n = 1; n < total; n += 100) {
        const count = Math.min(100, total - n);
        const isRoom = client.request.write(linesOf(...Array.from({ length: count }, () => 7)));
        if (!isRoom) await once(client.request, "drain");
      }
      client.request.end();
    })();
    // Nobody reads `response` yet. It goes on until all buffers between the two are full.
    let last = 0;
    const isStill = () => {
      const still = evaluated > 1 && evaluated === last;
      last = evaluated;
      return still;
    };
    await expect.poll(isStill, { interval: 200 }).toBe(true);
    expect(evaluated).toBeLessThan(total / 2);
    let text = "";
    let bytes = 0;
    for await (const chunk of response[0] ?? response) {
      bytes += chunk.length;
      text = (text + chunk).slice(-100);
    }
    await sending;
    expect(bytes).toBeGreaterThan(total * 1000);
    expect(text.endsWith(`{"done":true,"count":${total}}\n`)).toBe(true);
    expect(evaluated).toBe(total);
  });
});

describe("a client that goes away", () => {
  it("in the middle of a list leaves its place, and the rest of its inputs alone", async () => {
    const { began, waiting, release, options } = gate();
    const { port, server } = await listening({ ...options, overload: { maxConcurrent: 2 } });
    const client = new LineClient(port, { "content-type": "application/json" });
    client.request.end(JSON.stringify(listOf(...upTo(500))));
    await expect.poll(() => waiting.length).toBe(2);
    client.request.destroy();
    await expect.poll(() => connectionsOf(server)).toBe(0);
    release();
    const single = server.handler.inject({
      method: "POST",
      url: "/decisions/noted",
      payload: { input: { n: 1 } },
    });
    await expect.poll(() => waiting.length).toBe(1);
    release();
    expect((await single).statusCode).toBe(200);
    expect(began()).toBe(3);
  });

  it("in the middle of a stream ends it, wherever it is", async () => {
    const { began, waiting, release, options } = gate();
    const { port, server } = await listening({ ...options, overload: { maxConcurrent: 1 } });
    // One waits for input, the other one for a hook.
    const idle = new LineClient(port);
    await expect.poll(() => connectionsOf(server)).toBe(1);
    const working = new LineClient(port).write(linesOf(...upTo(100)));
    await expect.poll(() => waiting.length).toBe(1);
    for (const client of [working, idle]) client.request.destroy();
    await expect.poll(() => connectionsOf(server)).toBe(0);
    release();
    const single = server.handler.inject({
      method: "POST",
      url: "/decisions/noted",
      payload: { input: { n: 1 } },
    });
    await expect.poll(() => waiting.length).toBe(1);
    release();
    expect((await single).statusCode).toBe(200);
    expect(began()).toBe(2);
  });

  it("within a line leaves that line alone", async () => {
    const seen: unknown[] = [];
    const { port, server } = await listening({
      hooks: { beforeEvaluate: ({ input }) => void seen.push(input) },
    });
    const client = new LineClient(port).write(`${linesOf(1)}{"n":2}`);
    await expect.poll(() => seen).toEqual([{ n: 1 }]);
    client.request.destroy();
    await expect.poll(() => connectionsOf(server)).toBe(0);
    expect(seen).toEqual([{ n: 1 }]);
  });
});

describe("overload protection", () => {
  it("counts the evaluations of a list that run at the same time", async () => {
    const { waiting, release, options } = gate();
    const { handler } = createServer({
      decisions: [noted],
      logger: false,
      ...options,
      overload: { maxConcurrent: 3 },
    });
    const numbers = upTo(8);
    const batch = handler.inject({ method: "POST", url, payload: listOf(...numbers) });
    let most = 0;
    let rounds = 0;
    const done = batch.then((reply) => reply.json());
    for (let left = numbers.length; left > 0; ) {
      await expect.poll(() => waiting.length).toBe(Math.min(3, left));
      if (rounds === 0) {
        const shed = await handler.inject({ method: "POST", url, payload: listOf(1) });
        expect({ statusCode: shed.statusCode, code: shed.json().code }).toEqual({
          statusCode: 503,
          code: "OVERLOADED",
        });
      }
      most = Math.max(most, waiting.length);
      left -= waiting.length;
      rounds += 1;
      release();
    }
    expect({ most, rounds }).toEqual({ most: 3, rounds: 3 });
    const { results } = await done;
    expect(results.map(({ data }: { data: { n: number } }) => data.n)).toEqual(numbers);
  });

  it("does not count a stream that waits for its client, and lets its lines wait for a place", async () => {
    const { waiting, release, options } = gate();
    const { port, server } = await listening({ ...options, overload: { maxConcurrent: 1 } });
    const client = new LineClient(port);
    const lines = client.lines();
    const single = () =>
      server.handler.inject({ method: "POST", url: "/decisions/noted", payload: { input: { n: 5 } } });
    client.write(linesOf(1));
    await expect.poll(() => waiting.length).toBe(1);
    release();
    expect(await nextOf(lines)).toMatchObject({ data: { n: 1 } });
    const running = single();
    await expect.poll(() => waiting.length).toBe(1);
    client.write(linesOf(2));
    expect((await single()).statusCode).toBe(503);
    expect(waiting).toHaveLength(1);
    release();
    expect((await running).statusCode).toBe(200);
    await expect.poll(() => waiting.length).toBe(1);
    release();
    expect(await nextOf(lines)).toMatchObject({ data: { n: 2 } });
    client.request.end();
    expect(await nextOf(lines)).toEqual({ done: true, count: 2 });
  });
});

it("batches that one connection sends without waiting are refused from the seventeenth on", async () => {
  const { waiting, release, options } = gate();
  const { port } = await listening(options);
  const body = JSON.stringify({ inputs: [{ n: 1, note: "x".repeat(100_000) }] });
  const head = `POST ${url} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
  });
  const closed = once(socket, "close");
  for (let count = 0; count < 40; count += 1) {
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  }
  await expect.poll(() => waiting.length).toBe(16);
  const other = await fetch(`http://127.0.0.1:${port}/health/live`);
  expect(other.status).toBe(200);
  release();
  await closed;
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual([...Array.from({ length: 16 }, () => "200"), "503"]);
  expect(text).toContain('"code":"OVERLOADED"');
});

describe("a long batch", () => {
  const slow = defineDecision({
    ...schemas,
    id: "slow",
    version: "1",
    rules: [
      {
        id: "only",
        when: () => {
          const end = performance.now() + 1;
          while (performance.now() < end);
          return true;
        },
        emit: ({ n }) => ({ n, note: "" }),
      },
    ],
  });

  it.each(["application/json", "application/x-ndjson"])("of %s lets others in between", async (type) => {
    const order: string[] = [];
    const asked: Promise<unknown>[] = [];
    let evaluated = 0;
    const { handler } = createServer({
      decisions: [slow],
      logger: false,
      observers: [
        {
          onEvaluated: () => {
            evaluated += 1;
            if (evaluated !== 1) return;
            const health = handler.inject("/health/live").then(() => order.push(`health ${evaluated < 300}`));
            asked.push(health);
          },
        },
      ],
    });
    const numbers = upTo(300);
    const payload = type === "application/json" ? JSON.stringify(listOf(...numbers)) : linesOf(...numbers);
    const reply = await handler.inject({
      method: "POST",
      url: "/decisions/slow/batch",
      payload,
      headers: { "content-type": type },
    });
    order.push("batch");
    await Promise.all(asked);
    expect(reply.statusCode).toBe(200);
    expect(order).toEqual(["health true", "batch"]);
  });
});

it("a request sees one set of profiles, however long it takes", async () => {
  let length = 1;
  const loads = new Arrivals<void>();
  const profiles = watchProfiles({
    load: async () => ({ profiles: { noted: { length } }, revision: String(length) }),
    everyMs: 100,
  });
  const onProfilesLoaded = (load: SourceLoad) => {
    if (load.outcome !== "failed" && load.revision === String(length)) loads.add();
  };
  const first = loads.next;
  const { port } = await listening({ profiles, observers: [{ onEvaluated: () => {}, onProfilesLoaded }] });
  await first;
  const client = new LineClient(port);
  const lines = client.lines();
  client.write(linesOf(1));
  expect(await nextOf(lines)).toMatchObject({ data: { note: "x" } });
  const second = loads.next;
  length = 2;
  await second;
  client.request.end(linesOf(2));
  expect(await nextOf(lines)).toMatchObject({ data: { note: "x" } });
  const later = new LineClient(port);
  later.request.end(linesOf(3));
  expect(await nextOf(later.lines())).toMatchObject({ data: { note: "xx" } });
});

const candidate = defineDecision({
  ...schemas,
  id: "candidate",
  version: "1",
  rules: [{ id: "only", when: () => true, emit: ({ n }) => ({ n, note: "" }) }],
});

it("shadows are evaluated for each input, after the reply", async () => {
  const shadowed: unknown[] = [];
  const { handler } = createServer({
    decisions: [noted],
    shadow: { noted: { decision: candidate } },
    logger: false,
    observers: [
      { onEvaluated: () => {}, onShadowEvaluated: ({ result }) => void shadowed.push(result.status) },
    ],
  });
  await handler.inject({ method: "POST", url, payload: listOf(1, 13, 2) });
  await expect.poll(() => shadowed).toEqual(["OK", "OK"]);
  const headers = { "content-type": "application/x-ndjson" };
  const reply = await handler.inject({ method: "POST", url, payload: linesOf(1, 13, 2), headers });
  expect(reply.payload.split("\n").slice(0, -1).map(summary)).toEqual([1, "EVALUATION_FAILED", 2, "done 3"]);
  await expect.poll(() => shadowed).toEqual(["OK", "OK", "OK", "OK"]);
});

describe("what was evaluated for a client that has gone is compared with its shadow", () => {
  /** A server whose evaluations wait, except those of numbers below ten, and the numbers that it compared. */
  async function comparing() {
    const { waiting, release, options } = gate();
    const { beforeEvaluate } = options.hooks;
    const shadowed: unknown[] = [];
    const { port, server } = await listening({
      ...options,
      hooks: {
        beforeEvaluate: ({ input }) =>
          Number(Reflect.get(Object(input), "n")) < 10 ? undefined : beforeEvaluate(),
      },
      shadow: { noted: { decision: candidate } },
      observers: [
        {
          onEvaluated: () => {},
          onShadowEvaluated: ({ shadowResult }) =>
            void shadowed.push(Reflect.get(Object(shadowResult), "data")),
        },
      ],
    });
    return { waiting, release, port, server, shadowed };
  }
  const dataOf = (...numbers: readonly number[]) => numbers.map((n) => ({ n, note: "" }));

  it.each([
    ["application/json", JSON.stringify(listOf(1, 20, 30))],
    ["application/x-ndjson", linesOf(1, 20, 30)],
  ])("in %s", async (type, text) => {
    const { waiting, release, port, server, shadowed } = await comparing();
    const client = new LineClient(port, { "content-type": type });
    client.write(text);
    // The body of a list has to be complete. A stream may go on.
    if (type === "application/json") client.request.end();
    await expect.poll(() => waiting.length).toBe(2);
    client.request.destroy();
    await expect.poll(() => connectionsOf(server)).toBe(0);
    release();
    await expect.poll(() => shadowed).toEqual(dataOf(1, 20, 30));
  });

  it("in a list whose reply was waiting for another one", async () => {
    const { waiting, port, shadowed } = await comparing();
    const requests = [listOf(20), listOf(1, 2)].map((list) => {
      const text = JSON.stringify(list);
      return `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    });
    const socket = connect(port, "127.0.0.1");
    socket.write(requests.join(""));
    await expect.poll(() => waiting.length).toBe(1);
    const health = await fetch(`http://127.0.0.1:${port}/health/live`);
    expect({ status: health.status, shadowed }).toEqual({ status: 200, shadowed: [] });
    socket.destroy();
    await expect.poll(() => shadowed).toEqual(dataOf(1, 2));
  });
});

function connectionsOf({ handler }: { readonly handler: ReturnType<typeof createServer>["handler"] }) {
  return new Promise((resolve) => handler.server.getConnections((_error, count) => resolve(count)));
}
