import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { DecernError, defineDecision, type EvaluationEvent, type ShadowEvent } from "@decern/core";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { Arrivals } from "./support/deferred.js";
import { fakeOpenAPI } from "./support/fake-features.js";
import { fixedClock } from "./support/fixed-clock.js";
import { input, quote, quote1, quote2 } from "./support/quotes.js";
import { recordingLogger } from "./support/recording-logger.js";

const decisions = [quote1, quote2];
const versions = { quote: { default: "1.0.0" } };

const open: DecisionServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Keeps what the observers are told, and tells when the next shadow evaluation has ended. */
class Watcher {
  readonly evaluated: EvaluationEvent[] = [];
  readonly shadows: ShadowEvent[] = [];
  readonly #arrivals = new Arrivals<ShadowEvent>();

  get next(): Promise<ShadowEvent> {
    return this.#arrivals.next;
  }

  onEvaluated(event: EvaluationEvent): void {
    this.evaluated.push(event);
  }

  onShadowEvaluated(event: ShadowEvent): void {
    this.shadows.push(event);
    this.#arrivals.add(event);
  }
}

function make(options: Partial<ServerOptions<typeof decisions>>) {
  const watcher = new Watcher();
  const logger = recordingLogger();
  const server = createServer({
    decisions,
    versions,
    logger,
    clock: fixedClock,
    observers: [watcher],
    ...options,
  });
  open.push(server);
  return { server, watcher, logger };
}

function ask({ handler }: DecisionServer, more: object = {}, url = "/decisions/quote") {
  const headers = { "x-request-id": "same" };
  return handler.inject({ method: "POST", url, headers, payload: { input, ...more } });
}

describe("a shadow", () => {
  it("is evaluated with the same call, and its difference is told to observers", async () => {
    const { server, watcher } = make({
      shadow: { quote: { version: "2.0.0" } },
      profiles: { quote: { rate: 5 } },
    });
    const next = watcher.next;
    expect((await ask(server)).json().data).toMatchObject({ by: "1.0.0", rate: 5 });
    const event = await next;
    expect({
      outcome: event.outcome,
      decisionVersion: event.decision.version,
      shadowVersion: event.shadow.version,
      requestId: event.requestId,
    }).toEqual({ outcome: "different", decisionVersion: "1.0.0", shadowVersion: "2.0.0", requestId: "same" });
    expect({ result: event.result, shadowResult: event.shadowResult }).toMatchObject({
      result: { data: { by: "1.0.0", rate: 5 } },
      shadowResult: { data: { by: "2.0.0", rate: 5 } },
    });
  });

  it.each([
    ["", async () => {}],
    [
      ", however long the host's hooks hold it back",
      async () => {
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      },
    ],
  ])("starts after the reply has been given to the connection%s", async (_how, hold) => {
    const order: string[] = [];
    const candidate = defineDecision({
      ...shape,
      rules: [
        {
          id: "only",
          when: () => {
            order.push("shadow");
            return true;
          },
          emit: () => ({ by: "candidate" }),
        },
      ],
    });
    const { server, watcher } = make({ shadow: { quote: { decision: candidate } } });
    server.handler.addHook("onSend", async () => {
      await hold();
      order.push("reply");
    });
    const next = watcher.next;
    await ask(server);
    await next;
    expect(order).toEqual(["reply", "shadow"]);
  });

  it("that is slow delays no reply: the client has it before the candidate has ended", async () => {
    // The candidate ends when a client in another thread has read the whole reply; never, if the reply waited for it.
    const replied = new Int32Array(new SharedArrayBuffer(4));
    const waits: string[] = [];
    const candidate = defineDecision({
      ...shape,
      rules: [
        {
          id: "slow",
          when: () => {
            waits.push(Atomics.wait(replied, 0, 0, 30_000));
            return true;
          },
          emit: () => ({ by: "candidate" }),
        },
      ],
    });
    const { server, watcher } = make({ shadow: { quote: { decision: candidate } } });
    await server.handler.listen({ port: 0, host: "127.0.0.1" });
    const next = watcher.next;
    const client = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads");
       const body = JSON.stringify({ input: { amount: 1 } });
       const headers = { "content-type": "application/json" };
       fetch(workerData.url, { method: "POST", headers, body })
         .then((reply) => reply.json())
         .then((reply) => {
           Atomics.store(workerData.replied, 0, 1);
           Atomics.notify(workerData.replied, 0);
           parentPort.postMessage(reply);
         });`,
      { eval: true, workerData: { url: `${server.handler.listeningOrigin}/decisions/quote`, replied } },
    );
    const [reply] = await once(client, "message");
    expect(reply.data.by).toBe("1.0.0");
    expect((await next).outcome).toBe("different");
    expect(waits).toHaveLength(1);
    expect(waits[0]).not.toBe("timed-out");
    await client.terminate();
  });

  it("that fails changes neither the reply nor what is counted, and is logged", async () => {
    const failing = quote("9.0.0", true);
    const { server, watcher, logger } = make({ shadow: { quote: { decision: failing } } });
    const { server: plain, watcher: plainWatcher } = make({});
    const next = watcher.next;
    const [shadowed, alone] = [await ask(server), await ask(plain)];
    const event = await next;
    expect({ statusCode: shadowed.statusCode, body: shadowed.body }).toEqual({
      statusCode: alone.statusCode,
      body: alone.body,
    });
    expect(shadowed.headers).toEqual({ ...alone.headers, date: shadowed.headers.date });
    const counted = ({ evaluated }: Watcher) =>
      evaluated.map(({ decision, status, matchedRule }) => [decision.version, status, matchedRule]);
    expect(counted(watcher)).toEqual(counted(plainWatcher));
    expect({ outcome: event.outcome, shadowResult: event.shadowResult }).toEqual({
      outcome: "failed",
      shadowResult: undefined,
    });
    expect(event.error).toBeInstanceOf(DecernError);
    expect(logger.entries.map(({ message }) => message)).toEqual(["A shadow evaluation failed"]);
  });

  it("runs no hook, and reaches no onError", async () => {
    const hooks: string[] = [];
    const { server, watcher } = make({
      shadow: { quote: { decision: quote("9.0.0", true) } },
      hooks: {
        beforeEvaluate: () => void hooks.push("before"),
        afterEvaluate: () => void hooks.push("after"),
        onError: () => void hooks.push("error"),
      },
    });
    const next = watcher.next;
    await ask(server);
    await next;
    expect(hooks).toEqual(["before", "after"]);
  });

  it("is evaluated beside neither a pinned call, nor one outside the sample, nor a refused one", async () => {
    const refuse = () => {
      throw Object.assign(new Error("no"), { statusCode: 403 });
    };
    const cases = [
      [make({ shadow: { quote: { version: "2.0.0" } } }), "/decisions/quote/versions/1.0.0", 200],
      [make({ shadow: { quote: { version: "2.0.0", sample: 0 } } }), "/decisions/quote", 200],
      [
        make({ shadow: { quote: { version: "2.0.0" } }, hooks: { beforeEvaluate: refuse } }),
        "/decisions/quote",
        403,
      ],
    ] as const;
    for (const [{ server, watcher }, url, status] of cases) {
      const reply = await ask(server, {}, url);
      expect(reply.statusCode).toBe(status);
      // What comes after a reply has been run when the turn that follows it has ended.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      expect(watcher.shadows).toEqual([]);
    }
  });

  it("is not served itself, and appears in no document", async () => {
    const openapi = fakeOpenAPI();
    const { server } = make({ shadow: { quote: { decision: quote("9.0.0") } }, openapi });
    expect((await ask(server, {}, "/decisions/quote/versions/9.0.0")).statusCode).toBe(404);
    for (const url of ["/decisions", "/decisions/quote/versions", "/openapi.json", "/docs/decisions/quote"]) {
      const reply = await server.handler.inject(url);
      expect({ url, statusCode: reply.statusCode, body: reply.body.includes("9.0.0") }).toEqual({
        url,
        statusCode: 200,
        body: false,
      });
    }
  });
});

const shape = {
  id: "candidate",
  version: "1",
  inputSchema: z.object({ amount: z.number() }),
  outputSchema: z.object({ by: z.string() }),
  profileSchema: z.object({}),
} as const;
