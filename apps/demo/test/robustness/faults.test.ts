import { createDecisionGuard, createDecisionMiddleware } from "@decern/adapter-express";
import { createDecisionHandler, createDecisionHook } from "@decern/adapter-fastify";
import { defineDecision, type EvaluationEvent, type Hooks, type Logger } from "@decern/core";
import { typebox } from "@decern/schema";
import express, { type NextFunction, type Request, type Response } from "express";
import Fastify from "fastify";
import Type from "typebox";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gate, turn } from "../../../../test/suites/gate.js";
import { portOf } from "../support/listening.js";
import { type RawReply, send } from "./raw-request.js";
import { type Target, type TargetOptions, targets } from "./targets.js";

/** Abandoned promises never settle before the reply, so a slow machine changes nothing. */
const hookTimeoutMs = 30;
const secret = "secret-of-ours";

/** Lets late promises settle after the reply. */
let late = gate();

/** Every way in which user code can fail. */
const failures = {
  throws: () => {
    throw new Error(secret);
  },
  rejects: () => Promise.reject(new Error(secret)),
  "throws a string": () => {
    throw secret;
  },
  "throws nothing": () => {
    throw undefined;
  },
  "rejects with nothing": () => Promise.reject(),
  "never settles": () => new Promise<never>(() => {}),
  "resolves too late": () => late.opened,
  "rejects too late": () =>
    late.opened.then(() => {
      throw new Error(secret);
    }),
} as const;
const names = Object.keys(failures) as (keyof typeof failures)[];

function decisionWith(when: () => unknown) {
  return defineDecision({
    id: "check",
    version: "1.0.0",
    inputSchema: typebox(Type.Object({})),
    outputSchema: typebox(Type.Object({ allowed: Type.Boolean() })),
    profileSchema: typebox(Type.Object({})),
    rules: [{ id: "only", when: () => when() as never, emit: () => ({ allowed: true }) }],
  });
}
const fine = decisionWith(() => true);

const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
beforeAll(() => void process.on("unhandledRejection", onRejection));
afterEach(async () => {
  late.open();
  await turn();
  late = gate();
});
afterAll(() => {
  process.off("unhandledRejection", onRejection);
  expect(rejections).toEqual([]);
});

interface Seen {
  readonly reply: RawReply;
  readonly events: readonly EvaluationEvent[];
  readonly errors: number;
}

async function post(port: number, path: string, body: unknown = {}): Promise<RawReply> {
  return send(port, {
    method: "POST",
    path,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** One request to a host whose rule, hook or observer misbehaves. */
async function askHost(
  name: Target["name"],
  { hooks = {}, observers = [], ...options }: TargetOptions,
): Promise<Seen> {
  const events: EvaluationEvent[] = [];
  let errors = 0;
  const counted: Hooks = {
    ...hooks,
    onError: (context, error) => {
      errors += 1;
      return hooks.onError?.(context, error);
    },
  };
  const counter = { onEvaluated: (event: EvaluationEvent) => void events.push(event) };
  const target = await targets[name]({
    ...options,
    hookTimeoutMs,
    hooks: counted,
    observers: [...observers, counter],
  });
  try {
    return { reply: await post(target.port, "/decisions/check", target.body({})), events, errors };
  } finally {
    await target.close();
  }
}

const evaluationFailed = '{"error":"Evaluation failed","code":"EVALUATION_FAILED"}';
const isGivenUp = (name: string): boolean => /settle|late/.test(name);

describe.each(["server", "express", "fastify"] as const)("%s", (host) => {
  it.each(names)("a rule that %s is a masked 500, counted once, reported once", async (name) => {
    const seen = await askHost(host, { decisions: [decisionWith(failures[name])] });
    expect({ status: seen.reply.status, text: seen.reply.text }).toEqual({
      status: 500,
      text: evaluationFailed,
    });
    expect({ events: seen.events.map((event) => event.status), errors: seen.errors }).toEqual({
      events: ["ERROR"],
      errors: 1,
    });
  });

  it.each([1, "yes", null, undefined, {}, []])(
    "a rule that returns %j is a fault, not a match",
    async (answer) => {
      const seen = await askHost(host, { decisions: [decisionWith(() => answer)] });
      expect({ status: seen.reply.status, text: seen.reply.text }).toEqual({
        status: 500,
        text: evaluationFailed,
      });
    },
  );

  it.each(names)("beforeEvaluate that %s aborts, counted once, reported once", async (name) => {
    const seen = await askHost(host, { decisions: [fine], hooks: { beforeEvaluate: failures[name] } });
    expect(seen.reply.status).toBe(isGivenUp(name) ? 503 : 500);
    expect(seen.reply.text).not.toContain(secret);
    expect({ events: seen.events.map((event) => event.status), errors: seen.errors }).toEqual({
      events: ["ERROR"],
      errors: 1,
    });
  });

  it.each(names)("afterEvaluate that %s leaves the reply, counted once, reported once", async (name) => {
    const seen = await askHost(host, { decisions: [fine], hooks: { afterEvaluate: failures[name] } });
    expect({ replyStatus: seen.reply.status, textStatus: JSON.parse(seen.reply.text).status }).toEqual({
      replyStatus: 200,
      textStatus: "OK",
    });
    expect({ events: seen.events.map((event) => event.status), errors: seen.errors }).toEqual({
      events: ["OK"],
      errors: 1,
    });
  });

  it.each(names)("onError that %s changes nothing", async (name) => {
    const seen = await askHost(host, {
      decisions: [decisionWith(failures.throws)],
      hooks: { onError: failures[name] },
    });
    expect({ status: seen.reply.status, text: seen.reply.text, errors: seen.errors }).toEqual({
      status: 500,
      text: evaluationFailed,
      errors: 1,
    });
  });

  it.each(names)("an observer that %s changes nothing, and the next one is still called", async (name) => {
    const seen = await askHost(host, { decisions: [fine], observers: [{ onEvaluated: failures[name] }] });
    expect({ status: seen.reply.status, length: seen.events.length, errors: seen.errors }).toEqual({
      status: 200,
      length: 1,
      errors: 0,
    });
  });
});

const silent: Logger = { error: () => {} };
const callbacks = ["inputMapper", "profileResolver", "onResult"] as const;

/** Both frameworks, with one middleware or handler, one guard, and the host's own error handling. */
const applications = {
  async express(options: object, guard: object): Promise<Application> {
    const handled: unknown[] = [];
    const app = express();
    let entered = 0;
    app.post("/decide", Reflect.apply(createDecisionMiddleware, undefined, [{ decision: fine, ...options }]));
    app.get(
      "/guarded",
      Reflect.apply(createDecisionGuard, undefined, [{ decision: fine, ...guard }]),
      (_request, response) => {
        entered += 1;
        response.json({ entered: true });
      },
    );
    app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
      handled.push(error);
      if (response.headersSent) next(error);
      else response.status(500).json({ host: true });
    });
    const server = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("not listening");
    return { port: address.port, handled, entered: () => entered, close: async () => void server.close() };
  },
  async fastify(options: object, guard: object): Promise<Application> {
    const handled: unknown[] = [];
    const app = Fastify({ forceCloseConnections: true });
    let entered = 0;
    app.setErrorHandler((error, _request, reply) => {
      handled.push(error);
      return reply.code(500).send({ host: true });
    });
    app.post("/decide", Reflect.apply(createDecisionHandler, undefined, [{ decision: fine, ...options }]));
    const preHandler = Reflect.apply(createDecisionHook, undefined, [{ decision: fine, ...guard }]);
    app.get("/guarded", { preHandler }, async () => {
      entered += 1;
      return { entered: true };
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { port: portOf(app.server), handled, entered: () => entered, close: () => app.close() };
  },
} as const;

interface Application {
  readonly port: number;
  readonly handled: readonly unknown[];
  entered(): number;
  close(): Promise<void>;
}

describe.each(["express", "fastify"] as const)("%s: the host's own callbacks", (framework) => {
  async function withCounts(
    options: object,
    guard: object,
    ask: (application: Application, statuses: readonly string[]) => Promise<void>,
  ): Promise<{ readonly statuses: readonly string[]; readonly errors: number }> {
    const statuses: string[] = [];
    let errors = 0;
    const common = {
      hookTimeoutMs,
      logger: silent,
      hooks: {
        onError: () => {
          errors += 1;
        },
      },
      observers: [{ onEvaluated: (event: EvaluationEvent) => void statuses.push(event.status) }],
    };
    const application = await applications[framework](
      { ...common, ...options },
      { ...common, inputMapper: () => ({}), ...guard },
    );
    try {
      await ask(application, statuses);
    } finally {
      await application.close();
    }
    return { statuses, errors };
  }

  it.each(callbacks.flatMap((callback) => names.map((name) => [callback, name] as const)))(
    "%s that %s goes to the host's error handling, counted once, reported once",
    async (callback, name) => {
      const counts = await withCounts({ [callback]: failures[name] }, {}, async ({ port, handled }) => {
        const reply = await post(port, "/decide");
        expect(reply).toMatchObject({ status: 500, text: '{"host":true}' });
        expect(handled).toHaveLength(1);
        expect(handled[0]).toBeInstanceOf(Error);
      });
      expect(counts).toEqual({ statuses: [callback === "onResult" ? "OK" : "ERROR"], errors: 1 });
    },
  );

  it.each(
    (["inputMapper", "profileResolver", "isDenied"] as const).flatMap((callback) =>
      names.map((name) => [callback, name] as const),
    ),
  )("a guard whose %s %s grants no access", async (callback, name) => {
    const counts = await withCounts({}, { [callback]: failures[name] }, async ({ port, entered }) => {
      const reply = await send(port, { method: "GET", path: "/guarded" });
      expect(reply.status).toBeGreaterThanOrEqual(403);
      expect(entered()).toBe(0);
    });
    expect(counts.statuses).toHaveLength(1);
    expect(counts.errors).toBeLessThanOrEqual(1);
  });

  it.each(names)("onDeny that %s grants no access, counted once, reported once", async (name) => {
    const counts = await withCounts(
      {},
      { isDenied: () => true, onDeny: failures[name] },
      async ({ port, entered, handled }) => {
        const reply = await send(port, { method: "GET", path: "/guarded" });
        expect(reply.status).toBe(500);
        expect(handled).toHaveLength(1);
        expect(entered()).toBe(0);
      },
    );
    expect(counts).toEqual({ statuses: ["OK"], errors: 1 });
  });

  it("survives a client that disconnects before the reply", async () => {
    const gone = new AbortController();
    const left = gate();
    const slow = async () => {
      gone.abort();
      await left.opened;
      return {};
    };
    const options = { inputMapper: slow, hookTimeoutMs: 600_000 };
    const counts = await withCounts(options, {}, async ({ port, handled }, statuses) => {
      const headers = { "content-type": "application/json" };
      const call = { method: "POST", headers, body: "{}", signal: gone.signal };
      await expect(fetch(`http://127.0.0.1:${port}/decide`, call)).rejects.toThrow();
      left.open();
      await expect.poll(() => statuses).toEqual(["OK"]);
      await turn();
      expect(handled).toEqual([]);
      expect((await post(port, "/decide")).status).toBe(200);
    });
    expect(counts).toEqual({ statuses: ["OK", "OK"], errors: 0 });
  });
});
