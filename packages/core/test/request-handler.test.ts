import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createEvaluator, defineDecision, withProfile } from "../src/index.js";
import { isThenable } from "../src/tools.js";
import { fixedClock, loan, recordingLogger, recordingObserver } from "./fixtures.js";
import { createRequestHandler, send } from "./fixtures-http.js";

function quiet(onError = vi.fn()) {
  const observer = recordingObserver();
  return {
    onError,
    observer,
    options: {
      hooks: { onError },
      observers: [observer],
      logger: recordingLogger(),
      clock: fixedClock(),
      hookTimeoutMs: 20,
    },
  };
}

describe("createRequestHandler", () => {
  it.each([
    [{ score: 700 }, 200, "OK"],
    [{ score: 1000 }, 200, "NO_MATCH"],
    [{ score: "x" }, 400, "INVALID_INPUT"],
  ])("replies to %j with %i and the envelope %s", async (input, status, name) => {
    const reply = await send(loan, { input: () => input });
    expect(reply).toMatchObject({ status, requestId: "req-1", result: { status: name }, error: undefined });
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(JSON.stringify(reply.result)));
  });

  it("masks a fault", async () => {
    const { options, onError, observer } = quiet();
    const reply = await send(loan, { input: () => ({ score: 13 }) }, options);
    expect(reply).toMatchObject({
      status: 500,
      body: '{"error":"Evaluation failed","code":"EVALUATION_FAILED"}',
    });
    expect(onError).toHaveBeenCalledTimes(1);
    expect(observer.events.map((event) => event.status)).toEqual(["ERROR"]);
  });

  it("counts data that JSON cannot carry once, as a fault of the decision", async () => {
    const { options, onError, observer } = quiet();
    const circular: Record<string, unknown> = { approved: true, rate: 1 };
    circular["self"] = circular;
    const round = defineDecision({
      id: "round",
      version: "1",
      inputSchema: z.object({}),
      outputSchema: z.looseObject({}),
      profileSchema: z.object({}),
      rules: [{ id: "r", when: () => true, emit: () => circular }],
    });
    const reply = await send(round, {}, options);
    expect(reply.status).toBe(500);
    expect(onError).toHaveBeenCalledTimes(1);
    expect(observer.events.map((event) => event.status)).toEqual(["ERROR"]);
  });

  it("measures up to the result, excluding the time to serialise it", async () => {
    let nowMs = 0;
    const clock = { now: () => 0, monotonic: () => nowMs };
    const slowly = {
      toJSON: () => {
        nowMs += 1000;
        return {};
      },
    };
    const slow = defineDecision({
      id: "slow",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.any(),
      profileSchema: z.object({}),
      rules: [
        {
          id: "r",
          when: () => {
            nowMs += 250;
            return true;
          },
          emit: () => slowly,
        },
      ],
    });
    const { options, observer } = quiet();
    expect((await send(slow, {}, { ...options, clock })).status).toBe(200);
    await createEvaluator({ ...options, clock }).evaluate(slow, { input: {} });
    expect(observer.events.map((event) => event.durationSeconds)).toEqual([0.25, 0.25]);
    expect(nowMs).toBe(1500);
  });

  it("stays synchronous if nothing is asynchronous", () => {
    const handler = createRequestHandler({}, loan, { input: () => ({ score: 700 }) });
    expect(isThenable(handler.handle({}, "r"))).toBe(false);
  });

  it("supports asynchronous input and profile, and prefers the resolved profile to the default", async () => {
    const reply = await send(withProfile(loan, { minScore: 1 }), {
      input: async () => ({ score: 700 }),
      profile: async () => ({ minScore: 800 }),
    });
    expect(reply.result?.meta).toMatchObject({ matchedRule: "too-low" });
  });

  it("uses {} if the resolver returns nothing", async () => {
    const reply = await send(withProfile(loan, { minScore: 1000 }), {
      input: () => ({ score: 700 }),
      profile: () => undefined,
    });
    expect(reply.result?.meta).toMatchObject({ matchedRule: "standard" });
  });

  it("blames the host, not the caller, for a resolved profile that does not match its schema", async () => {
    const { options, onError } = quiet();
    const reply = await send(
      loan,
      { input: () => ({ score: 700 }), profile: () => ({ minScore: "x" }) },
      options,
    );
    expect(reply).toMatchObject({
      status: 500,
      hostError: { thrown: { code: "INVALID_HOST_PROFILE", message: "Evaluation failed" } },
    });
    expect(onError).toHaveBeenCalledTimes(1);
  });

  const boom = new Error("boom");
  it.each([
    [
      "inputMapper throws",
      {
        input: () => {
          throw boom;
        },
      },
      boom,
    ],
    ["inputMapper rejects", { input: () => Promise.reject(boom) }, boom],
    [
      "profileResolver throws",
      {
        profile: () => {
          throw boom;
        },
      },
      boom,
    ],
    ["profileResolver rejects", { profile: () => Promise.reject("text") }, "text"],
  ])(
    "passes the host's own error back to it when %s: counted once, onError once",
    async (_name, reader, thrown) => {
      const { options, onError, observer } = quiet();
      const reply = await send(loan, reader, options);
      expect(reply.hostError?.thrown).toBe(thrown);
      expect(reply.status).toBe(500);
      expect(reply.body).not.toContain("boom");
      expect(onError.mock.calls.map((call) => call[1])).toEqual([thrown]);
      expect(observer.events.map((event) => event.status)).toEqual(["ERROR"]);
    },
  );

  it("tells onError the input that was read before the profile failed", async () => {
    const { options, onError } = quiet();
    await send(loan, { input: () => ({ score: 700 }), profile: () => Promise.reject(boom) }, options);
    await send(loan, { input: () => Promise.reject(boom) }, options);
    expect(onError.mock.calls.map(([context]) => context.input)).toEqual([{ score: 700 }, undefined]);
  });

  it("leaves no rejection of the input behind when the profile throws at once", async () => {
    const rejections: unknown[] = [];
    const listener = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", listener);
    try {
      const { options } = quiet();
      const profile = (): never => {
        throw boom;
      };
      const reply = await send(loan, { input: () => Promise.reject(new Error("late")), profile }, options);
      expect(reply.hostError?.thrown).toBe(boom);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });

  it("stops waiting for a callback that never settles", async () => {
    const { options } = quiet();
    const reply = await send(loan, { input: () => new Promise(() => {}) }, options);
    expect(reply).toMatchObject({ status: 503, hostError: { thrown: { code: "HOOK_TIMEOUT" } } });
  });

  it("runs onResult before it replies, and treats its failure as the host's", async () => {
    const { options, onError, observer } = quiet();
    const seen: unknown[] = [];
    const input = (): unknown => ({ score: 700 });
    const fine = await send(loan, { input }, options, async (result) => void seen.push(result.status));
    expect({ status: fine.status, hostError: fine.hostError, seen }).toEqual({
      status: 200,
      hostError: undefined,
      seen: ["OK"],
    });
    const failed = await send(loan, { input }, options, () => Promise.reject(boom));
    expect(failed.hostError?.thrown).toBe(boom);
    expect(onError).toHaveBeenCalledTimes(1);
    expect(observer.events.map((event) => event.status)).toEqual(["OK", "OK"]);
  });

  it("sends the computed result, whatever onResult does to its copy", async () => {
    const reply = await send(
      loan,
      { input: () => ({ score: 700 }) },
      {},
      (result) => void Reflect.set(result, "status", "HACKED"),
    );
    expect(JSON.parse(reply.body)).toMatchObject({ status: "OK" });
  });

  it("sends the request id that a hook set", async () => {
    const reply = await send(
      loan,
      { input: () => ({ score: 700 }) },
      { hooks: { beforeEvaluate: () => ({ requestId: "new" }) } },
    );
    expect(reply.requestId).toBe("new");
  });
});
