import { Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { defineDecision } from "@decern/core";
import { metrics } from "@decern/metrics";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import Type from "typebox";
import { expect, it } from "vitest";
import { turn } from "../../../../test/suites/gate.js";
import { portOf } from "../support/listening.js";
import { converse } from "./raw-socket.js";

/** Set `SOAK_SECONDS=300` for a long run. */
const seconds = Number(process.env["SOAK_SECONDS"] ?? 15);
const warmUp = Math.min(10, seconds / 3);

const decision = defineDecision({
  id: "soak",
  version: "1.0.0",
  inputSchema: typebox(Type.Object({ n: Type.Integer({ minimum: 0, maximum: 1000 }) })),
  outputSchema: typebox(Type.Object({ even: Type.Boolean() })),
  profileSchema: typebox(Type.Object({ limit: Type.With(Type.Integer(), { default: 900 }) })),
  rules: [
    {
      id: "faulty",
      when: ({ n }) => {
        if (n === 13) throw new Error("unlucky");
        return false;
      },
      emit: () => ({ even: false }),
    },
    { id: "even", when: ({ n }, { limit }) => n <= limit && n % 2 === 0, emit: () => ({ even: true }) },
    { id: "odd", when: ({ n }, { limit }) => n <= limit, emit: () => ({ even: false }) },
  ],
});

/** The requests, their expected replies, and the expected metrics. */
const kinds = [
  { body: '{"input":{"n":2}}', status: 200, counted: "OK", text: '"even":true' },
  { body: '{"input":{"n":3}}', status: 200, counted: "OK", text: '"even":false' },
  { body: '{"input":{"n":950}}', status: 200, counted: "NO_MATCH", text: "No rule matched" },
  { body: '{"input":{"n":950},"profile":{"limit":1000}}', status: 200, counted: "OK", text: '"even":true' },
  { body: '{"input":{"n":"x"}}', status: 400, counted: "INVALID_INPUT", text: "/n" },
  {
    body: '{"input":{"n":1},"profile":{"limit":"x"}}',
    status: 400,
    counted: "INVALID_PROFILE",
    text: "/limit",
  },
  { body: '{"input":{"n":13}}', status: 500, counted: "ERROR", text: "Evaluation failed" },
  { body: "{}", status: 400, counted: undefined, text: "Missing 'input'" },
  { body: "{", status: 400, counted: undefined, text: "INVALID_JSON" },
  { body: '{"__proto__":1}', status: 400, counted: undefined, text: "FORBIDDEN_KEY" },
] as const;

function post(
  port: number,
  agent: Agent,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request(
      { port, host: "127.0.0.1", path: "/decisions/soak", method: "POST", agent, headers },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Heap in use after garbage collection, in MB. */
function heap(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

it(`soak: ${seconds} seconds of good, bad and faulty traffic, with slow and cut clients`, {
  timeout: (seconds * 3 + 300) * 1000,
}, async () => {
  const feature = metrics({ enabled: true });
  const server = createServer({
    decisions: [decision],
    metrics: feature,
    logger: false,
    hooks: { onError: () => {} },
    // No client times out on a slow machine.
    requestTimeoutMs: 600_000,
    keepAliveTimeoutMs: 600_000,
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  const port = portOf(server.handler.server);
  const handlesBefore = process.getActiveResourcesInfo().length;

  const sent = new Map<string, number>();
  const wrong: string[] = [];
  const heaps: number[] = [];
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  let requests = 0;

  const clients = Array.from({ length: 12 }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // No client reuses a connection that the server is about to end.
    for (let index = client; elapsed() < seconds; index += 1) {
      const kind = kinds[index % kinds.length];
      if (kind === undefined) break;
      const reply = await post(port, agent, kind.body);
      requests += 1;
      if (reply.status !== kind.status || !reply.text.includes(kind.text))
        wrong.push(`${kind.body} -> ${reply.status} ${reply.text}`);
      if (kind.counted !== undefined) sent.set(kind.counted, (sent.get(kind.counted) ?? 0) + 1);
    }
    agent.destroy();
  });
  const nuisances = [0, 1].map(async (which) => {
    while (elapsed() < seconds) {
      const head =
        "POST /decisions/soak HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{";
      await converse(port, which === 0 ? [head] : [..."GET /decisions HTTP/1.1\r\nx"], {
        pauseMs: 20,
        hangUpAfterMs: 300,
      });
    }
  });
  const sampling = (async () => {
    while (elapsed() < seconds) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      if (elapsed() < warmUp) continue;
      if (heaps.length === 0) delay.enable();
      heaps.push(heap());
    }
  })();
  await Promise.all([...clients, ...nuisances, sampling]);
  delay.disable();

  const third = Math.max(1, Math.floor(heaps.length / 3));
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const [early, lateHeap] = [median(heaps.slice(0, third)), median(heaps.slice(-third))];
  console.log(
    `soak: ${requests} requests in ${elapsed().toFixed(0)} s; heap ${early.toFixed(1)} -> ${lateHeap.toFixed(1)} MB; ` +
      `event loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms (clients in the same process)`,
  );
  expect(wrong).toEqual([]);
  for (const [status, count] of sent) {
    expect(
      feature.collector.getCounter("engine_evaluations_total", { decision_id: "soak", status }),
      status,
    ).toBe(count);
  }
  expect(global.gc, "run with --expose-gc").toBeDefined();
  expect(lateHeap - early).toBeLessThan(Math.max(3, early * 0.1));

  await server.close();
  // Closed connections end in a later turn of the event loop. Open ones would keep the test waiting until it times out.
  while (process.getActiveResourcesInfo().length > handlesBefore) await turn();
});
