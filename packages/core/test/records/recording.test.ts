import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { createEvaluator, DecernError, defineDecision, type EvaluatorOptions } from "../../src/index.js";
import { access, fixedClock, loan, recordingLogger, recordingObserver } from "../fixtures.js";
import { createRequestHandler, send } from "../fixtures-http.js";

const unavailable = { error: "The decision cannot be recorded", code: "RECORD_UNAVAILABLE" };

function logged(log: MemoryLog, options: EvaluatorOptions = {}): EvaluatorOptions {
  return { logger: recordingLogger(), clock: fixedClock(), log, ...options };
}

/** A promise that somebody else settles. */
function deferred() {
  let resolve = (): void => {};
  let reject = (_reason: unknown): void => {};
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

const turns = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe("an evaluation that is recorded", () => {
  it("is taken down before its caller gets the outcome, with everything that is known of it", async () => {
    const log = new MemoryLog();
    const evaluator = createEvaluator(logged(log));
    const call = { input: { score: 700 }, profile: { minScore: 650 }, requestId: "req-7", caller: "shop" };
    const result = await evaluator.evaluate(loan, call);
    expect(log.kept).toEqual([
      {
        recordId: "record-1",
        sampleRate: 1,
        decision: { id: "loan", version: "1.2.0" },
        requestId: "req-7",
        epochMs: Date.parse("2026-03-01T12:00:00.000Z"),
        durationSeconds: 0.25,
        caller: "shop",
        traceparent: undefined,
        selectedBy: "default",
        input: { score: 700 },
        profile: { minScore: 650 },
        hasOwnProfile: true,
        result,
        error: undefined,
        used: [],
      },
    ]);
  });

  it("is answered at once where there is nothing to wait for", () => {
    const log = new MemoryLog();
    const result = createEvaluator(logged(log)).evaluate(loan, { input: { score: 700 } });
    expect({ result, kept: log.kept }).toMatchObject({
      result: { status: "OK" },
      kept: [{ result: { status: "OK" } }],
    });
  });

  it.each([
    [{ score: 700 }, undefined, "OK"],
    [{ score: 5000 }, undefined, "NO_MATCH"],
    [{ score: "x" }, undefined, "INVALID_INPUT"],
    [{ score: 700 }, { minScore: "x" }, "INVALID_PROFILE"],
    [{ score: 13 }, undefined, "ERROR"],
    [{ score: 14 }, undefined, "ERROR"],
  ])("for the input %j and the profile %j as %3$s", async (input, profile, status) => {
    const log = new MemoryLog();
    const evaluator = createEvaluator(logged(log));
    await Promise.resolve()
      .then(() => evaluator.evaluate(loan, { input: input as unknown, profile: profile as unknown }))
      .catch(() => {});
    expect(log.choices).toEqual([["loan", status, undefined]]);
    const fault = status === "ERROR" ? "EVALUATION_FAILED" : undefined;
    expect(log.kept).toMatchObject([{ result: fault ? undefined : { status }, error: fault }]);
  });

  it("is an error once, where its result cannot be written as JSON", async () => {
    const log = new MemoryLog();
    const decision = defineDecision({
      id: "cyclic",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.unknown(),
      profileSchema: z.unknown(),
      rules: [{ id: "r", when: () => true, emit: () => ({ toJSON: () => undefined }) }],
    });
    const reply = await send(decision, {}, logged(log));
    expect(reply.status).toBe(500);
    expect(log.choices.map(([, status]) => status)).toEqual(["OK", "ERROR"]);
    expect(log.kept).toMatchObject([{ recordId: "record-2", error: "EVALUATION_FAILED", result: undefined }]);
    expect(reply.headers).toEqual({ "decern-record-id": "record-2" });
  });

  it("that a hook refused or changed is recorded as the hook left it", async () => {
    const log = new MemoryLog();
    const refusal = Object.assign(new Error("no"), { statusCode: 403 });
    const refusing = createEvaluator(
      logged(log, { hooks: { beforeEvaluate: () => Promise.reject(refusal) } }),
    );
    await expect(refusing.evaluate(loan, { input: { score: 1 } })).rejects.toThrow(DecernError);
    const changing = createEvaluator(
      logged(log, { hooks: { beforeEvaluate: () => ({ input: { score: 800 }, requestId: "changed" }) } }),
    );
    await changing.evaluate(loan, { input: { score: 1 } });
    expect(log.kept).toMatchObject([
      { input: { score: 1 }, error: "EVALUATION_ABORTED" },
      { input: { score: 800 }, requestId: "changed", result: { status: "OK" } },
    ]);
  });
});

describe("a log without room", () => {
  it("refuses a call before any hook but onError, records nothing, and leaves it to the log to say why", async () => {
    const log = new MemoryLog();
    log.isAvailable = false;
    const hooks = { beforeEvaluate: vi.fn(), afterEvaluate: vi.fn(), onError: vi.fn() };
    const observer = recordingObserver();
    const logger = recordingLogger();
    const evaluator = createEvaluator(logged(log, { hooks, observers: [observer], logger }));
    await expect(evaluator.evaluate(loan, { input: { score: 700 } })).rejects.toMatchObject({
      code: "RECORD_UNAVAILABLE",
      statusCode: 503,
    });
    expect(hooks.beforeEvaluate).not.toHaveBeenCalled();
    expect(hooks.afterEvaluate).not.toHaveBeenCalled();
    expect(hooks.onError.mock.calls).toMatchObject([
      [{ input: { score: 700 } }, { code: "RECORD_UNAVAILABLE" }],
    ]);
    expect(observer.events).toMatchObject([{ status: "ERROR", matchedRule: undefined }]);
    expect({ choices: log.choices, kept: log.kept, lines: logger.lines }).toEqual({
      choices: [],
      kept: [],
      lines: [],
    });
  });

  it("is 503 with Retry-After, without the id of a record, and evaluates no rule", async () => {
    const log = new MemoryLog();
    log.isAvailable = false;
    const when = vi.fn(() => true);
    const decision = defineDecision({
      id: "watched",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.unknown(),
      profileSchema: z.unknown(),
      rules: [{ id: "r", when, emit: () => ({}) }],
    });
    const reply = await send(decision, {}, logged(log));
    expect({ status: reply.status, body: JSON.parse(reply.body), headers: reply.headers }).toEqual({
      status: 503,
      body: unavailable,
      headers: { "retry-after": "1" },
    });
    log.isAvailable = true;
    expect((await send(decision, {}, logged(log))).status).toBe(200);
    expect(when).toHaveBeenCalledTimes(1);
  });

  it("leaves a failure of the host's own callback what it was, and does not record it", async () => {
    const log = new MemoryLog();
    log.isAvailable = false;
    const boom = new Error("boom");
    const input = () => {
      throw boom;
    };
    const reply = await send(loan, { input }, logged(log));
    expect({ status: reply.status, hostError: reply.hostError, headers: reply.headers }).toEqual({
      status: 500,
      hostError: { thrown: boom },
      headers: undefined,
    });
    expect({ admissions: log.admissions, kept: log.kept }).toEqual({ admissions: 1, kept: [] });
    log.isAvailable = true;
    expect((await send(loan, { input }, logged(log))).headers).toEqual({ "decern-record-id": "record-1" });
    expect(log.kept).toMatchObject([{ error: "INTERNAL_ERROR", decision: { id: "loan" }, input: undefined }]);
  });
});

describe("the id of a record", () => {
  it("is sent with the reply; there is none for what is not in the sample", async () => {
    const log = new MemoryLog();
    log.samples = (status) => status !== "OK";
    const ask = (score: number) => send(loan, { input: () => ({ score }) }, logged(log));
    expect((await ask(700)).headers).toBeUndefined();
    expect((await ask(5000)).headers).toEqual({ "decern-record-id": "record-2" });
    expect((await ask(13)).headers).toEqual({ "decern-record-id": "record-3" });
    expect(log.kept.map(({ recordId }) => recordId)).toEqual(["record-2", "record-3"]);
  });

  it("is sent by a guard that denies and by one that lets through", async () => {
    const log = new MemoryLog();
    const handler = createRequestHandler(logged(log), access, {
      input: (role: string) => ({ role }),
    });
    const ask = (role: string) =>
      new Promise<unknown[]>((resolve) => {
        const exchange: Parameters<typeof handler.guard>[1] = {
          requestId: "given",
          handsOverHostErrors: true,
          onDecided: () => {},
          hasBegun: () => false,
          hasEnded: () => false,
          write: (status, _body, _id, headers) => resolve(["write", status, headers]),
          pass: (_id, headers) => resolve(["pass", headers]),
          leave: () => resolve(["leave"]),
          fail: (error) => resolve(["fail", error]),
        };
        handler.guard(role, exchange);
      });
    expect(await ask("admin")).toEqual(["pass", { "decern-record-id": "record-1" }]);
    expect(await ask("guest")).toEqual(["write", 403, { "decern-record-id": "record-2" }]);
    log.isAvailable = false;
    expect(await ask("admin")).toMatchObject(["fail", { code: "RECORD_UNAVAILABLE", statusCode: 503 }]);
  });
});

describe("a record that takes its time", () => {
  it("is awaited: nothing leaves before it", async () => {
    const log = new MemoryLog();
    const { promise, resolve } = deferred();
    log.durable = () => promise;
    let reply: unknown;
    const sent = send(loan, { input: () => ({ score: 700 }) }, logged(log)).then((value) => {
      reply = value;
    });
    await turns();
    expect(reply).toBeUndefined();
    expect(log.kept).toHaveLength(1);
    resolve();
    await sent;
    expect(reply).toMatchObject({ status: 200, headers: { "decern-record-id": "record-1" } });
  });

  it.each([
    ["without hooks", undefined],
    ["with hooks", { afterEvaluate: turns }],
  ])(
    "and fails is 503 with Retry-After and no record id, given to onError, and left to the log to report: %s",
    async (_, more) => {
      const log = new MemoryLog();
      log.durable = () =>
        Promise.reject(new DecernError("RECORD_UNAVAILABLE", { detail: "the disk is full" }));
      const onError = vi.fn();
      const logger = recordingLogger();
      const hooks = { ...more, onError };
      const options = logged(log, { logger, ...(more === undefined ? {} : { hooks }) });
      const reply = await send(loan, { input: () => ({ score: 700 }) }, options);
      expect({
        status: reply.status,
        body: JSON.parse(reply.body),
        headers: reply.headers,
        result: reply.result,
      }).toEqual({ status: 503, body: unavailable, headers: { "retry-after": "1" }, result: undefined });
      expect(logger.lines).toEqual([]);
      expect(onError).toHaveBeenCalledTimes(more === undefined ? 0 : 1);
    },
  );

  it("and fails leaves a fault what it was, without a record id", async () => {
    const log = new MemoryLog();
    log.durable = () => Promise.reject(new DecernError("RECORD_UNAVAILABLE"));
    for (const input of [
      () => ({ score: 13 }),
      () => {
        throw new Error("boom");
      },
    ]) {
      const logger = recordingLogger();
      const reply = await send(loan, { input }, logged(log, { logger, hooks: { onError: () => turns() } }));
      expect({ status: reply.status, headers: reply.headers }).toEqual({ status: 500, headers: undefined });
      expect(logger.lines).toHaveLength(1);
    }
    expect(log.kept).toHaveLength(2);
  });

  it("and fails in process is thrown as what it is", async () => {
    const log = new MemoryLog();
    log.durable = () => Promise.reject(new DecernError("RECORD_UNAVAILABLE"));
    const evaluator = createEvaluator(logged(log));
    await expect(evaluator.evaluate(loan, { input: { score: 700 } })).rejects.toMatchObject({
      code: "RECORD_UNAVAILABLE",
    });
  });

  it("keeps onResult waiting, and from what never leaves", async () => {
    const log = new MemoryLog();
    const onResult = vi.fn();
    const { promise, resolve } = deferred();
    log.durable = () => promise;
    const sent = send(loan, { input: () => ({ score: 700 }) }, logged(log), onResult);
    await turns();
    expect(onResult).not.toHaveBeenCalled();
    resolve();
    await sent;
    expect(onResult).toHaveBeenCalledTimes(1);
    log.durable = () => Promise.reject(new DecernError("RECORD_UNAVAILABLE"));
    await send(loan, { input: () => ({ score: 700 }) }, logged(log), onResult);
    expect(onResult).toHaveBeenCalledTimes(1);
  });
});
