import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  createEvaluator,
  DecernError,
  defineDecision,
  type EvaluationCall,
  type HookContext,
  withProfile,
} from "../src/index.js";
import { isThenable } from "../src/tools.js";
import { fixedClock, loan, recordingLogger, recordingObserver } from "./fixtures.js";

const instant = "2026-03-01T12:00:00.000Z";

function setUp(hooks: Parameters<typeof createEvaluator>[0] = {}) {
  const observer = recordingObserver();
  const logger = recordingLogger();
  const evaluator = createEvaluator({ clock: fixedClock(), observers: [observer], logger, ...hooks });
  return { observer, logger, evaluator };
}

async function rejection(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

describe("createEvaluator", () => {
  it("returns the result without hooks, and a promise with hooks", () => {
    const plain = setUp().evaluator.evaluate(loan, { input: { score: 700 } });
    expect(isThenable(plain)).toBe(false);
    const hooked = setUp({ hooks: { afterEvaluate: () => {} } }).evaluator.evaluate(loan, {
      input: { score: 700 },
    });
    expect(isThenable(hooked)).toBe(true);
    return hooked;
  });

  it("reports each outcome to observers once, with its duration in seconds", async () => {
    const { evaluator, observer } = setUp();
    for (const score of [700, 1000, "x"])
      evaluator.evaluate(loan, { input: { score } as unknown, requestId: "r" });
    evaluator.evaluate(loan, { input: { score: 1 }, profile: { minScore: "x" } as unknown, requestId: "r" });
    expect(() => evaluator.evaluate(loan, { input: { score: 13 }, requestId: "r" })).toThrow(DecernError);
    expect(observer.events.map((event) => [event.status, event.decision.id, event.durationSeconds])).toEqual([
      ["OK", "loan", 0.25],
      ["NO_MATCH", "loan", 0.25],
      ["INVALID_INPUT", "loan", 0.25],
      ["INVALID_PROFILE", "loan", 0.25],
      ["ERROR", "loan", 0.25],
    ]);
    expect(observer.events[0]?.context).toEqual({
      decisionId: "loan",
      decisionVersion: loan.version,
      selectedBy: "default",
      input: { score: 700 },
      profile: {},
      requestId: "r",
      timestamp: new Date(instant),
    });
    expect(observer.events[4]).toMatchObject({
      result: undefined,
      error: { cause: { message: "secret of the rule" } },
    });
  });

  it("shows observers the whole result of each status, as a copy", () => {
    const { evaluator, observer } = setUp();
    const calls = [
      { input: { score: 700 } },
      { input: { score: 1000 } },
      { input: { score: "x" } },
      { input: { score: 1 }, profile: { minScore: "x" } },
    ];
    const results = calls.map((call) => evaluator.evaluate(loan, call as EvaluationCall));
    expect(observer.events.map((event) => event.result)).toEqual(results);
    expect(observer.events.map((event) => event.status)).toEqual([
      "OK",
      "NO_MATCH",
      "INVALID_INPUT",
      "INVALID_PROFILE",
    ]);
    for (const [index, { result }] of observer.events.entries()) {
      expect(result).not.toBe(results[index]);
      expect(result?.meta).not.toBe(Object(results[index]).meta);
    }
  });

  it("uses one generated request id for rules, hooks and events", async () => {
    const ids = new Set<string>();
    const { evaluator, observer } = setUp({
      hooks: {
        beforeEvaluate: (context) => void ids.add(context.requestId),
        afterEvaluate: (context) => void ids.add(context.requestId),
      },
    });
    await evaluator.evaluate(loan, { input: { score: 700 } });
    ids.add(observer.events[0]?.context.requestId ?? "");
    expect([...ids]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it("isolates an observer that throws: the outcome stands, and the next observer is called", () => {
    const second = recordingObserver();
    const first = {
      onEvaluated: () => {
        throw new Error("observer");
      },
    };
    const logger = recordingLogger();
    const evaluator = createEvaluator({ observers: [first, second], logger });
    expect(evaluator.evaluate(loan, { input: { score: 700 } })).toMatchObject({ status: "OK" });
    expect(second.events).toHaveLength(1);
    expect(logger.lines).toMatchObject([{ message: "An observer failed" }]);
  });

  it("blames the host for the host's own profile", async () => {
    const { evaluator } = setUp();
    const error = await rejection(() =>
      evaluator.evaluate(loan, {
        input: { score: 1 },
        profile: { minScore: "x" } as unknown,
        profileFrom: "host",
      }),
    );
    expect(error).toMatchObject({ code: "INVALID_HOST_PROFILE", problems: [{ path: "/minScore" }] });
  });
});

describe("a logger", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("no disk");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no network"))],
  ])("that %s changes nothing, and leaves no unhandled rejection", async (_name, error) => {
    const rejections: unknown[] = [];
    const listener = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", listener);
    const evaluator = createEvaluator({ logger: { error }, hooks: { onError: () => {} } });
    expect(await rejection(() => evaluator.evaluate(loan, { input: { score: 13 } }))).toMatchObject({
      code: "EVALUATION_FAILED",
    });
    // Node reports unhandled rejections after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    process.off("unhandledRejection", listener);
    expect(rejections).toEqual([]);
  });
});

describe("the context of beforeEvaluate", () => {
  const call = { input: { score: 700, deep: { list: [1] } }, profile: { minScore: 600 } };
  const change = (context: HookContext): void => {
    Reflect.set(Object(context.input), "score", 500);
    Reflect.set(Object(context.profile), "minScore", 900);
    context.timestamp.setTime(0);
  };

  it("is a copy: in-place changes at any depth take effect if it is returned", async () => {
    const given = structuredClone(call);
    const { evaluator } = setUp({
      hooks: {
        beforeEvaluate: (context) => {
          change(context);
          return context;
        },
      },
    });
    const result = await evaluator.evaluate(loan, given);
    expect(result.meta).toMatchObject({
      explanation: "Score 500 is below 900",
      evaluatedAt: "1970-01-01T00:00:00.000Z",
    });
    expect(given).toEqual(call);
  });

  it("is a copy: in-place changes at any depth have no effect if nothing is returned", async () => {
    const given = structuredClone(call);
    const { evaluator, observer } = setUp({ hooks: { beforeEvaluate: change } });
    const result = await evaluator.evaluate(loan, given);
    expect(result.meta).toMatchObject({ matchedRule: "standard", evaluatedAt: instant });
    expect(observer.events[0]?.context).toMatchObject({ ...call, timestamp: new Date(instant) });
    expect(given).toEqual(call);
  });

  it("has a copy of the decision's own profile, which later hooks get frozen", async () => {
    const bound = withProfile(loan, { minScore: 600 });
    const written: unknown[] = [];
    const write = (context: HookContext): HookContext => {
      written.push(Reflect.set(Object(context.profile), "minScore", 900));
      return context;
    };
    const returning = setUp({ hooks: { beforeEvaluate: write } });
    const changed = await returning.evaluator.evaluate(bound, { input: { score: 700 } });
    expect(changed.meta).toMatchObject({ explanation: "Score 700 is below 900" });
    const later = setUp({ hooks: { afterEvaluate: (context) => void write(context) } });
    for (const matchedRule of ["standard", "standard"])
      expect((await later.evaluator.evaluate(bound, { input: { score: 700 } })).meta).toMatchObject({
        matchedRule,
      });
    expect(written).toEqual([true, false, false]);
  });

  it("has a copy of the decision's own profile where freezing would not keep it as it is", async () => {
    const decision = defineDecision({
      id: "open",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.number(),
      profileSchema: z.object({ since: z.unknown() }),
      rules: [{ id: "r", when: () => true, emit: (_input, { since }) => Number(since) }],
    });
    const bound = withProfile(decision, { since: new Date(1) });
    const change = ({ profile }: HookContext): void => void Object(profile).since.setTime(2);
    const returning = setUp({
      hooks: {
        beforeEvaluate: (context) => {
          change(context);
          return context;
        },
      },
    });
    expect(await returning.evaluator.evaluate(bound, { input: 1 })).toMatchObject({ data: 2 });
    const silent = setUp({ hooks: { beforeEvaluate: change } });
    expect(await silent.evaluator.evaluate(bound, { input: 1 })).toMatchObject({ data: 1 });
  });

  it("hands over what a symbol names as it is, in small inputs and in large ones", async () => {
    const mark = Symbol("mark");
    const named = { by: "host" };
    const small = { score: 700, [mark]: named };
    const seen: unknown[] = [];
    const { evaluator } = setUp({
      hooks: { beforeEvaluate: ({ input }) => void seen.push(input, Reflect.get(Object(input), mark)) },
    });
    await evaluator.evaluate(loan, { input: small });
    const large = { ...small, many: Array.from({ length: 100 }, () => [1]) };
    await evaluator.evaluate(loan, { input: large });
    expect(seen).toEqual([small, named, large, named]);
    expect([seen[1], seen[3]].every((value) => value === named)).toBe(true);
    expect([seen[0], seen[2]].some((value) => value === small || value === large)).toBe(false);
  });

  it("still counts as the host's profile if it is returned unchanged", async () => {
    const { evaluator } = setUp({ hooks: { beforeEvaluate: (context) => ({ ...context }) } });
    const host = { input: { score: 1 }, profile: { minScore: "x" }, profileFrom: "host" } as const;
    expect(await rejection(() => evaluator.evaluate(loan, host as EvaluationCall))).toMatchObject({
      code: "INVALID_HOST_PROFILE",
    });
  });

  it("keeps class instances, so the returned value is still one", async () => {
    class Applicant {
      readonly score = 700;
    }
    const applicant = new Applicant();
    const seen: unknown[] = [];
    const { evaluator } = setUp({
      hooks: {
        beforeEvaluate: (context) => {
          seen.push(context.input);
          return { ...context };
        },
      },
    });
    await evaluator.evaluate(loan, { input: applicant });
    expect(seen[0]).toBe(applicant);
  });
});

describe("beforeEvaluate", () => {
  it("gets the context of the call", async () => {
    const seen: HookContext[] = [];
    const { evaluator } = setUp({ hooks: { beforeEvaluate: (context) => void seen.push(context) } });
    await evaluator.evaluate(loan, { input: { score: 700 }, profile: { minScore: 1 }, requestId: "r" });
    expect(seen).toEqual([
      {
        decisionId: "loan",
        decisionVersion: loan.version,
        selectedBy: "default",
        input: { score: 700 },
        profile: { minScore: 1 },
        requestId: "r",
        timestamp: new Date(instant),
      },
    ]);
  });

  it("replaces the fields it returns for all later steps, but not the decision", async () => {
    const after = vi.fn();
    const { evaluator, observer } = setUp({
      hooks: {
        beforeEvaluate: async () => ({
          decisionId: "other",
          input: { score: 500 },
          profile: { minScore: 400 },
          requestId: "new",
          timestamp: new Date("2020-01-01T00:00:00.000Z"),
        }),
        afterEvaluate: after,
      },
    });
    const result = await evaluator.evaluate(loan, { input: { score: 1 }, requestId: "old" });
    expect(result.meta).toMatchObject({
      decisionId: "loan",
      matchedRule: "standard",
      evaluatedAt: "2020-01-01T00:00:00.000Z",
    });
    const context = {
      decisionId: "other",
      decisionVersion: loan.version,
      selectedBy: "default",
      input: { score: 500 },
      profile: { minScore: 400 },
      requestId: "new",
      timestamp: new Date("2020-01-01"),
    };
    expect(after.mock.calls[0]?.[0]).toEqual(context);
    expect(observer.events[0]?.context).toEqual(context);
    expect(observer.events[0]?.decision.id).toBe("loan");
  });

  it("validates replaced fields as if the caller had sent them", async () => {
    const input = setUp({ hooks: { beforeEvaluate: () => ({ input: 1 }) } }).evaluator;
    expect(await input.evaluate(loan, { input: { score: 700 } })).toMatchObject({ status: "INVALID_INPUT" });
    const profile = setUp({ hooks: { beforeEvaluate: () => ({ profile: 1 }) } }).evaluator;
    expect(await profile.evaluate(loan, { input: { score: 700 } })).toMatchObject({
      status: "INVALID_PROFILE",
    });
  });

  it.each([
    [
      "a 4xx refusal",
      Object.assign(new Error("No quota"), { statusCode: 429 }),
      { code: "EVALUATION_ABORTED", statusCode: 429 },
    ],
    ["a plain error", new Error("down"), { code: "EVALUATION_FAILED", statusCode: 500 }],
    [
      "its own 5xx",
      Object.assign(new Error("x"), { statusCode: 503 }),
      { code: "EVALUATION_FAILED", statusCode: 500 },
    ],
    ["a string", "down", { code: "EVALUATION_FAILED", statusCode: 500 }],
    ["nothing", undefined, { code: "EVALUATION_FAILED", statusCode: 500 }],
  ])("aborts by throwing %s: no rule runs, onError once, counted once", async (_name, thrown, expected) => {
    const onError = vi.fn();
    const before = async (): Promise<void> => {
      throw thrown;
    };
    const { evaluator, observer } = setUp({ hooks: { beforeEvaluate: before, onError } });
    expect(await rejection(() => evaluator.evaluate(loan, { input: { score: 13 } }))).toMatchObject(expected);
    expect(onError).toHaveBeenCalledTimes(1);
    if (thrown !== undefined) expect(onError.mock.calls[0]?.[1]).toBe(thrown);
    const status = expected.statusCode < 500 ? "REFUSED" : "ERROR";
    expect(observer.events.map((event) => event.status)).toEqual([status]);
  });

  it.each([400, 499])("refuses the call with the status %d, which is logged nowhere", async (statusCode) => {
    const before = (): never => {
      throw { statusCode };
    };
    const { evaluator, observer, logger } = setUp({ hooks: { beforeEvaluate: before } });
    const error = await rejection(() => evaluator.evaluate(loan, { input: { score: 700 } }));
    expect(error).toMatchObject({ code: "EVALUATION_ABORTED", statusCode });
    expect({ statuses: observer.events.map((event) => event.status), lines: logger.lines }).toEqual({
      statuses: ["REFUSED"],
      lines: [],
    });
  });

  it.each([399, 500, 400.5, "404", Number.NaN, null])(
    "fails, and is logged, with the status %j, which is no refusal",
    async (statusCode) => {
      const before = (): never => {
        throw { statusCode };
      };
      const { evaluator, observer, logger } = setUp({ hooks: { beforeEvaluate: before } });
      const error = await rejection(() => evaluator.evaluate(loan, { input: { score: 700 } }));
      expect(error).toMatchObject({ code: "EVALUATION_FAILED", statusCode: 500 });
      expect(observer.events.map((event) => event.status)).toEqual(["ERROR"]);
      expect(logger.lines).toMatchObject([{ message: "Evaluation failed" }]);
    },
  );

  it("takes the blame from the host for a profile that it puts in the place of the host's", async () => {
    const { evaluator } = setUp({ hooks: { beforeEvaluate: () => ({ profile: { minScore: "x" } }) } });
    const host = { input: { score: 1 }, profile: { minScore: 600 }, profileFrom: "host" } as const;
    expect(await evaluator.evaluate(loan, host)).toMatchObject({ status: "INVALID_PROFILE" });
  });

  it.each([
    [new Date(Number.NaN), false],
    [new Date(8.64e15), true],
    [new Date(-8.64e15), true],
  ])("may return the timestamp %j: %s", async (timestamp, isTaken) => {
    const { evaluator } = setUp({ hooks: { beforeEvaluate: () => ({ timestamp }) } });
    const ended = Promise.resolve(evaluator.evaluate(loan, { input: { score: 700 } }));
    if (isTaken) expect((await ended).meta.evaluatedAt).toBe(timestamp.toISOString());
    else {
      const message = expect.stringContaining("beforeEvaluate");
      expect(await rejection(() => ended)).toMatchObject({ code: "EVALUATION_FAILED", message });
    }
  });

  it("sets no timer for hooks that settle at once, and one for each that does not", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    try {
      const at = async (): Promise<void> => {};
      const quick = setUp({ hooks: { beforeEvaluate: at, afterEvaluate: at } }).evaluator;
      await quick.evaluate(loan, { input: { score: 700 } });
      expect(timers).not.toHaveBeenCalled();
      const later = () => new Promise<void>((resolve) => setImmediate(resolve));
      const slow = setUp({ hooks: { beforeEvaluate: later, afterEvaluate: later } }).evaluator;
      await slow.evaluate(loan, { input: { score: 700 } });
      expect(timers).toHaveBeenCalledTimes(2);
    } finally {
      timers.mockRestore();
    }
  });

  it.each([
    ["text"],
    [7],
    [[]],
    [{ requestId: "not valid\n" }],
    [{ timestamp: "today" }],
    [{ decisionId: 1 }],
  ])("fails closed when it returns an invalid value: %j", async (answer) => {
    const before = () => JSON.parse(JSON.stringify(answer)) as never;
    const { evaluator } = setUp({ hooks: { beforeEvaluate: before } });
    const error = await rejection(() => evaluator.evaluate(loan, { input: { score: 700 } }));
    expect(error).toMatchObject({ code: "EVALUATION_FAILED" });
  });

  it("is abandoned after the hook time-out", async () => {
    const onError = vi.fn();
    const { evaluator, observer } = setUp({
      hookTimeoutMs: 20,
      hooks: { beforeEvaluate: () => new Promise<void>(() => {}), onError },
    });
    const error = await rejection(() => evaluator.evaluate(loan, { input: { score: 700 } }));
    expect(error).toMatchObject({ code: "HOOK_TIMEOUT", statusCode: 503 });
    expect(onError).toHaveBeenCalledTimes(1);
    expect(observer.events).toHaveLength(1);
  });
});

describe("afterEvaluate", () => {
  it("runs on OK only", async () => {
    const afterEvaluate = vi.fn();
    const { evaluator } = setUp({ hooks: { afterEvaluate } });
    await evaluator.evaluate(loan, { input: { score: 700 } });
    await evaluator.evaluate(loan, { input: { score: 1000 } });
    await evaluator.evaluate(loan, { input: {} as unknown });
    await rejection(() => evaluator.evaluate(loan, { input: { score: 13 } }));
    expect(afterEvaluate).toHaveBeenCalledTimes(1);
  });

  it("cannot change the result through its copy", async () => {
    const { evaluator } = setUp({
      hooks: {
        afterEvaluate: (_context, result) => {
          Reflect.set(result, "status", "HACKED");
          Reflect.set(result.meta, "matchedRule", "none");
          for (const rule of result.meta.evaluatedRules) Reflect.set(rule, "matched", false);
          if (typeof result.data === "object" && result.data !== null)
            Reflect.set(result.data, "approved", false);
        },
      },
    });
    const result = await evaluator.evaluate(loan, { input: { score: 700 } });
    expect(result).toMatchObject({
      status: "OK",
      data: { approved: true },
      meta: { matchedRule: "standard" },
    });
    expect(result.status === "OK" && result.meta.evaluatedRules.at(-1)?.matched).toBe(true);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("audit");
      },
    ],
    ["rejects", () => Promise.reject(new Error("audit"))],
    ["never settles", () => new Promise<void>(() => {})],
  ])(
    "that %s leaves the result, is counted once as OK, and calls onError once",
    async (_name, afterEvaluate) => {
      const onError = vi.fn();
      const { evaluator, observer } = setUp({ hookTimeoutMs: 20, hooks: { afterEvaluate, onError } });
      expect(await evaluator.evaluate(loan, { input: { score: 700 } })).toMatchObject({ status: "OK" });
      expect(onError).toHaveBeenCalledTimes(1);
      expect(observer.events.map((event) => event.status)).toEqual(["OK"]);
    },
  );
});

describe("onError", () => {
  it("gets the error that the rule threw, once", async () => {
    const onError = vi.fn();
    const { evaluator } = setUp({ hooks: { onError } });
    await rejection(() => evaluator.evaluate(loan, { input: { score: 13 }, requestId: "r" }));
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({ decisionId: "loan", requestId: "r" }),
        expect.objectContaining({ message: "secret of the rule" }),
      ],
    ]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("again");
      },
    ],
    ["never settles", () => new Promise<void>(() => {})],
  ])("that %s is logged and swallowed", async (_name, onError) => {
    const { evaluator, logger } = setUp({ hookTimeoutMs: 20, hooks: { onError } });
    const error = await rejection(() => evaluator.evaluate(loan, { input: { score: 13 } }));
    expect(error).toMatchObject({ code: "EVALUATION_FAILED" });
    expect(logger.lines.map((line) => line.message)).toEqual(["Evaluation failed", "onError failed"]);
  });
});
