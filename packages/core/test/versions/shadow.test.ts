import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { Handler } from "../../src/host.js";
import {
  defineDecision,
  type EvaluationObserver,
  type EvaluatorOptions,
  type Hooks,
  type ShadowEvent,
} from "../../src/index.js";
import { unknownOrigin } from "../../src/service/request-view.js";
import { choosing, version } from "../catalogue/hosted.js";
import { recordingLogger } from "../fixtures.js";
import { vandalise, wayNames } from "../vandal.js";

const boom = new Error("boom");
afterEach(() => vi.restoreAllMocks());

/** A candidate whose only rule emits this. */
function emitting(emit: () => unknown, ruleId = "r") {
  return defineDecision({
    id: "loan",
    version: "2.0.0",
    inputSchema: z.object({ amount: z.number().default(0) }),
    outputSchema: z.any(),
    profileSchema: z.unknown(),
    rules: [{ id: ruleId, when: () => true, emit }],
  });
}

const same = { limit: 1, tags: [] };

/** What came of one call with a shadow. */
async function shadowed(
  shadow: object,
  { options = {}, input = {}, name }: { options?: EvaluatorOptions; input?: unknown; name?: string } = {},
) {
  const order: string[] = [];
  const events: ShadowEvent[] = [];
  const counted: string[] = [];
  const logger = recordingLogger();
  const observer: EvaluationObserver = {
    onEvaluated: ({ decision }) => void counted.push(decision.version),
    onShadowEvaluated: (event) => {
      order.push("shadow");
      events.push(event);
    },
  };
  const profiles = { "loan@1.0.0#strict": { limit: 5 }, "loan@2.0.0#strict": { limit: 6 } };
  const { observers = [], ...rest } = options;
  const { service, targetOf } = choosing({
    decisions: [version("1.0.0"), version("2.0.0")],
    versions: { loan: { default: "1.0.0" } },
    profiles,
    shadow: { loan: shadow },
    logger,
    ...rest,
    observers: [...observers, observer],
  });
  const handler = new Handler(service);
  const body = await new Promise<string>((resolve, reject) => {
    handler.respond(
      {
        source: undefined,
        requestId: "req-1",
        input: () => input,
        origin: () => unknownOrigin,
        sent: () => (name === undefined ? undefined : { name }),
        onDecided: () => {},
        hasBegun: () => false,
        hasEnded: () => false,
        write: (_status, text) => {
          order.push("reply");
          resolve(text);
        },
        leave: () => reject(new Error("left")),
        fail: reject,
        handsOverHostErrors: false,
      },
      targetOf(),
    );
  });
  // The shadow was queued before this is.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { body: JSON.parse(body), order, events, counted, logger };
}

describe("a shadow", () => {
  it.each<[string, () => unknown, ShadowEvent["outcome"]]>([
    ["the same output", () => ({ limit: 1, tags: [] }), "same"],
    ["the same output in another order", () => ({ tags: [], limit: 1 }), "same"],
    [
      "what JSON writes in the same way",
      () => ({ limit: { toJSON: () => 1 }, tags: [], other: undefined }),
      "same",
    ],
    ["another output", () => ({ limit: 2, tags: [] }), "different"],
    ["what JSON writes in another way", () => ({ limit: new Date(1), tags: [] }), "different"],
    ["a lone surrogate", () => ({ limit: "\ud800", tags: [] }), "different"],
    ["what JSON cannot write", () => ({ limit: 1n, tags: [] }), "failed"],
    ["what JSON leaves out", () => ({ toJSON: () => undefined }), "failed"],
    [
      "an output that contains itself",
      () => {
        const self: object[] = [];
        self.push(self);
        return self;
      },
      "failed",
    ],
    [
      "an error",
      () => {
        throw boom;
      },
      "failed",
    ],
    ["a promise that rejects", () => Promise.reject(boom), "failed"],
    [
      "what cannot be read",
      () => {
        throw new Proxy(
          {},
          {
            get: () => {
              throw boom;
            },
            has: () => {
              throw boom;
            },
          },
        );
      },
      "failed",
    ],
  ])("that emits %s is reported as such, after the reply", async (_what, emit, outcome) => {
    const { body, order, events, counted } = await shadowed({ decision: emitting(emit) });
    expect(body).toMatchObject({ status: "OK", data: same, meta: { decisionVersion: "1.0.0" } });
    expect(order).toEqual(["reply", "shadow"]);
    expect(events).toMatchObject([{ outcome, requestId: "req-1", result: { status: "OK", data: same } }]);
    const [event] = events;
    expect({ hasResult: event?.shadowResult !== undefined, hasError: event?.error !== undefined }).toEqual({
      hasResult: outcome !== "failed",
      hasError: outcome === "failed",
    });
    expect(event?.shadow.version).toBe("2.0.0");
    expect(counted).toEqual(["1.0.0"]);
  });

  it("differs when another rule matched, or none did", async () => {
    expect((await shadowed({ decision: emitting(() => same, "other") })).events[0]?.outcome).toBe(
      "different",
    );
    const candidate = defineDecision({
      id: "loan",
      version: "2.0.0",
      inputSchema: z.unknown(),
      outputSchema: z.any(),
      profileSchema: z.unknown(),
      rules: [{ id: "r", when: () => false, emit: () => same }],
    });
    expect((await shadowed({ decision: candidate })).events[0]?.outcome).toBe("different");
  });

  it("compares refusals too", async () => {
    const { events } = await shadowed({ version: "2.0.0" }, { input: { amount: "x" } });
    expect(events).toMatchObject([{ outcome: "same", result: { status: "INVALID_INPUT" } }]);
  });

  it("runs for no call with the sample 0, for every call with 1, and for the share between", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect((await shadowed({ version: "2.0.0", sample: 0 })).events).toEqual([]);
    vi.spyOn(Math, "random").mockReturnValue(1 - Number.EPSILON);
    expect((await shadowed({ version: "2.0.0", sample: 1 })).events).toHaveLength(1);
    expect((await shadowed({ version: "2.0.0" })).events).toHaveLength(1);
    vi.spyOn(Math, "random").mockReturnValue(0.3);
    expect((await shadowed({ version: "2.0.0", sample: 0.3 })).events).toEqual([]);
    expect((await shadowed({ version: "2.0.0", sample: 0.31 })).events).toHaveLength(1);
  });

  it("runs no hook of its own, and logs its fault once without onError", async () => {
    const hooks = { beforeEvaluate: vi.fn(), afterEvaluate: vi.fn(), onError: vi.fn() } satisfies Hooks;
    const { logger } = await shadowed(
      {
        decision: emitting(() => {
          throw boom;
        }),
      },
      { options: { hooks } },
    );
    expect(
      [hooks.beforeEvaluate, hooks.afterEvaluate, hooks.onError].map((hook) => hook.mock.calls.length),
    ).toEqual([1, 1, 0]);
    expect(logger.lines.map(({ message }) => message)).toEqual(["A shadow evaluation failed"]);
  });

  it("evaluates the input that the decision had, and its own writes reach nobody", async () => {
    const input = { amount: 1, list: [1, { two: 2 }] };
    const seen: unknown[] = [];
    const candidate = defineDecision({
      id: "loan",
      version: "2.0.0",
      inputSchema: {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: (value: unknown) => ({ value }),
          jsonSchema: { input: () => ({}), output: () => ({}) },
        },
      },
      outputSchema: z.any(),
      profileSchema: z.unknown(),
      rules: [
        {
          id: "r",
          when: (given) => {
            seen.push(structuredClone(given));
            vandalise(given, wayNames);
            return true;
          },
          emit: () => same,
        },
      ],
    });
    const { body } = await shadowed({ decision: candidate }, { input });
    expect(seen).toEqual([{ amount: 1, list: [1, { two: 2 }] }]);
    expect(input).toEqual({ amount: 1, list: [1, { two: 2 }] });
    expect(body).toMatchObject({ data: same });
  });

  it("shows each observer copies of its own", async () => {
    const vandal: EvaluationObserver = {
      onEvaluated: () => {},
      onShadowEvaluated: ({ result, shadowResult }) => vandalise([result, shadowResult], wayNames),
    };
    const { events } = await shadowed({ version: "2.0.0" }, { options: { observers: [vandal] } });
    expect(events).toMatchObject([{ outcome: "same", result: { data: same }, shadowResult: { data: same } }]);
  });

  it("outlives observers that throw or reject", async () => {
    const failing: readonly EvaluationObserver[] = [
      {
        onEvaluated: () => {},
        onShadowEvaluated: () => {
          throw boom;
        },
      },
      {
        onEvaluated: () => {},
        onShadowEvaluated: async () => {
          throw boom;
        },
      },
    ];
    const { events, logger } = await shadowed({ version: "2.0.0" }, { options: { observers: failing } });
    expect(events).toHaveLength(1);
    expect(logger.lines.map(({ message }) => message)).toEqual(["An observer failed"]);
  });

  it("is evaluated under the named profile of the call, in its own version", async () => {
    const { events } = await shadowed({ version: "2.0.0" }, { name: "strict" });
    expect(events).toMatchObject([{ result: { data: { limit: 5 } }, shadowResult: { data: { limit: 6 } } }]);
    // Without a profile of that name there is nothing to compare.
    expect((await shadowed({ decision: version("3.0.0") }, { name: "strict" })).events).toEqual([]);
  });
});

describe("the record of a shadow", () => {
  const kept = async (...given: Parameters<typeof shadowed>) => {
    const log = new MemoryLog();
    const [shadow, { options = {}, ...rest } = {}] = given;
    await shadowed(shadow, { ...rest, options: { ...options, log } });
    return log;
  };

  it("follows that of the evaluation, as what it is, with the same request id and instant", async () => {
    const log = await kept({ version: "2.0.0", sample: 1 });
    const [main, shadow] = log.kept;
    expect(log.kept).toMatchObject([
      { decision: { version: "1.0.0" }, selectedBy: "default", recordId: "record-1", requestId: "req-1" },
      { decision: { version: "2.0.0" }, selectedBy: "shadow", recordId: "record-2", requestId: "req-1" },
    ]);
    expect({ epochMs: shadow?.epochMs, input: shadow?.input, hasOwnProfile: shadow?.hasOwnProfile }).toEqual({
      epochMs: main?.epochMs,
      input: {},
      hasOwnProfile: false,
    });
    expect(shadow).toMatchObject({ result: { status: "OK", data: same }, profile: {} });
  });

  it("has the share of calls that is evaluated at all as its sample rate", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.1);
    const log = await kept({ version: "2.0.0", sample: 0.25 });
    expect(log.choices).toEqual([
      ["loan", "OK", undefined],
      ["loan", "OK", 0.25],
    ]);
    expect(log.kept.map(({ sampleRate }) => sampleRate)).toEqual([1, 0.25]);
  });

  it.each<[string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw boom;
      },
      "EVALUATION_FAILED",
    ],
    ["emits what JSON cannot write", () => ({ limit: 1n }), "EVALUATION_FAILED"],
  ])("is one error when the candidate %s, with the profile that it had", async (_what, emit, error) => {
    const log = await kept({ decision: emitting(emit) });
    expect(log.choices.map(([, status]) => status)).toEqual(["OK", "ERROR"]);
    expect(log.kept).toMatchObject([
      { error: undefined },
      { error, selectedBy: "shadow", result: undefined, profile: {} },
    ]);
  });

  it("keeps nobody waiting, and fails without ending the process", async () => {
    const log = new MemoryLog();
    const onEvaluated = (): void => {
      // From now on.
      log.durable = () => Promise.reject(new Error("no room"));
    };
    const options = { log, observers: [{ onEvaluated }] };
    const { events, body } = await shadowed({ version: "2.0.0" }, { options });
    expect({ eventCount: events.length, keptCount: log.kept.length }).toEqual({
      eventCount: 1,
      keptCount: 2,
    });
    expect(body).toMatchObject({ status: "OK" });
  });

  it("is not there for a call that is refused because it cannot be recorded", async () => {
    const log = new MemoryLog();
    log.isAvailable = false;
    const { body, events } = await shadowed({ version: "2.0.0" }, { options: { log } });
    expect({ code: body.code, events, kept: log.kept }).toEqual({
      code: "RECORD_UNAVAILABLE",
      events: [],
      kept: [],
    });
  });
});
