import { describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryLog } from "../../../test/support/memory-log.js";
import {
  createEvaluator,
  DecernError,
  defineDecision,
  type EvaluationObserver,
  type EvaluationTrace,
  evaluate,
  type Hooks,
} from "../src/index.js";
import { loan, recordingLogger } from "./fixtures.js";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** Watched through its trace only. */
function tracing(trace: (id: string) => EvaluationTrace | undefined): EvaluationObserver {
  return { onEvaluated() {}, onStarted: ({ decision }) => trace(decision.id) };
}

/** Writes every step down as it begins and as it ends. */
function diary(): { readonly lines: string[]; readonly trace: EvaluationTrace } {
  const lines: string[] = [];
  const codeOf = (error: unknown) => (error instanceof DecernError ? error.code : "not an error of ours");
  const trace: EvaluationTrace = {
    onHook(name, run) {
      lines.push(`${name} begins`);
      run((fault) =>
        lines.push(fault === undefined ? `${name} settled` : `${name} failed: ${codeOf(fault)}`),
      );
    },
    onUsed({ id }, run) {
      lines.push(`${id} begins`);
      const { status, matchedRule, error } = run();
      lines.push(`${id} ended: ${status}, ${error === undefined ? matchedRule : codeOf(error)}`);
    },
    onEnded: ({ status, matchedRule }) => void lines.push(`ended: ${status}, ${matchedRule}`),
  };
  return { lines, trace };
}

const points = defineDecision({
  id: "points",
  version: "1.0.0",
  inputSchema: z.object({ income: z.number() }),
  outputSchema: z.object({ points: z.number() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "positive",
      when: ({ income }) => {
        if (income === 13) throw new Error("secret of the rule");
        return income > 0;
      },
      emit: ({ income }) => ({ points: income }),
    },
  ],
});

const rating = defineDecision({
  id: "rating",
  version: "1.0.0",
  inputSchema: z.object({ income: z.number() }),
  outputSchema: z.object({ good: z.boolean() }),
  profileSchema: z.object({}),
  uses: [points],
  rules: [
    {
      id: "good",
      when: (input, _profile, context) => context.evaluate(points, input).status === "OK",
      emit: (input, _profile, context) => ({ good: context.evaluate(points, input).status === "OK" }),
    },
  ],
});

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a trace", () => {
  it("follows hooks and used decisions, in order and each once, and ends last", async () => {
    const { lines, trace } = diary();
    const hooks: Hooks = { beforeEvaluate: later, afterEvaluate: later };
    const evaluator = createEvaluator({ observers: [tracing(() => trace)], hooks });
    const result = await evaluator.evaluate(rating, { input: { income: 5 } });
    expect(result).toMatchObject({ status: "OK", data: { good: true } });
    expect(lines).toEqual([
      "beforeEvaluate begins",
      "beforeEvaluate settled",
      "points begins",
      "points ended: OK, positive",
      "afterEvaluate begins",
      "afterEvaluate settled",
      "ended: OK, good",
    ]);
  });

  it("sees how a hook failed, and not what it threw or returned", async () => {
    const { lines, trace } = diary();
    const refused = Object.assign(new Error("quota"), { statusCode: 429 });
    const hooks: Hooks = {
      beforeEvaluate: ({ requestId }) => {
        if (requestId === "at-once") throw refused;
        return Promise.reject(new Error("database"));
      },
      onError: () => {},
    };
    const options = { observers: [tracing(() => trace)], hooks, logger: recordingLogger() };
    const evaluator = createEvaluator(options);
    const input = { score: 700 };
    await expect(evaluator.evaluate(loan, { input, requestId: "at-once" })).rejects.toThrow(DecernError);
    await expect(evaluator.evaluate(loan, { input })).rejects.toThrow(DecernError);
    expect(lines).toEqual([
      "beforeEvaluate begins",
      "beforeEvaluate failed: EVALUATION_ABORTED",
      "onError begins",
      "onError settled",
      "ended: REFUSED, undefined",
      "beforeEvaluate begins",
      "beforeEvaluate failed: EVALUATION_FAILED",
      "onError begins",
      "onError settled",
      "ended: ERROR, undefined",
    ]);
  });

  it("sees a hook settle before its evaluation ends, even one that settles at once", async () => {
    const { lines, trace } = diary();
    const hooks: Hooks = { beforeEvaluate: async () => {}, afterEvaluate: async () => {} };
    await createEvaluator({ observers: [tracing(() => trace)], hooks }).evaluate(loan, {
      input: { score: 700 },
    });
    expect(lines).toEqual([
      "beforeEvaluate begins",
      "beforeEvaluate settled",
      "afterEvaluate begins",
      "afterEvaluate settled",
      "ended: OK, standard",
    ]);
  });

  it("sees the fault of a used decision", async () => {
    const { lines, trace } = diary();
    const evaluator = createEvaluator({ observers: [tracing(() => trace)], logger: recordingLogger() });
    expect(() => evaluator.evaluate(rating, { input: { income: 13 } })).toThrow(DecernError);
    expect(lines).toEqual([
      "points begins",
      "points ended: ERROR, EVALUATION_FAILED",
      "ended: ERROR, undefined",
    ]);
  });

  it("of one observer lies within that of the one before", () => {
    const first = diary();
    const second: EvaluationTrace = {
      onUsed(_decision, run) {
        first.lines.push("second begins");
        run();
        first.lines.push("second ended");
      },
      onEnded() {},
    };
    const observers = [tracing(() => first.trace), tracing(() => second)];
    createEvaluator({ observers }).evaluate(rating, { input: { income: 5 } });
    expect(first.lines.slice(0, 4)).toEqual([
      "points begins",
      "second begins",
      "second ended",
      "points ended: OK, positive",
    ]);
  });

  it("is made for those evaluations only that the observer wants to follow", () => {
    const { lines, trace } = diary();
    const observers = [tracing((id) => (id === "rating" ? trace : undefined))];
    createEvaluator({ observers }).evaluate(points, { input: { income: 5 } });
    expect(lines).toEqual([]);
  });
});

describe("what a trace does wrong", () => {
  const expected = evaluate(rating, { income: 5 }, {}, { now: new Date(0) });
  const throwing = () => {
    throw new Error("trace");
  };
  const wrong: Readonly<Record<string, { readonly trace: EvaluationTrace; readonly failures: number }>> = {
    "throws at once": {
      trace: { onHook: throwing, onUsed: throwing, onEnded: throwing },
      failures: 4,
    },
    "throws afterwards": {
      trace: {
        onHook: (_name, run) => {
          run(throwing);
        },
        onUsed: (_decision, run) => {
          run();
          throwing();
        },
        onEnded() {},
      },
      failures: 3,
    },
    "does not run the work": { trace: { onHook() {}, onUsed() {}, onEnded() {} }, failures: 0 },
    "does not look": { trace: { onEnded() {} }, failures: 0 },
    "runs the work twice": {
      trace: {
        onHook: (_name, run) => {
          run(() => {});
          run(() => {});
        },
        onUsed: (_decision, run) => {
          run();
          run();
        },
        onEnded() {},
      },
      failures: 0,
    },
    "rejects later": {
      trace: {
        onHook: async () => throwing(),
        onUsed: async () => throwing(),
        onEnded: async () => throwing(),
      },
      failures: 0,
    },
  };

  it.each(Object.entries(wrong))("changes nothing: it %s", async (_name, { trace, failures }) => {
    const logger = recordingLogger();
    const called: string[] = [];
    const hooks: Hooks = {
      beforeEvaluate: () => void called.push("before"),
      afterEvaluate: () => void called.push("after"),
    };
    const clock = { now: () => 0, monotonic: () => 0 };
    const evaluator = createEvaluator({ observers: [tracing(() => trace)], hooks, logger, clock });
    expect(await evaluator.evaluate(rating, { input: { income: 5 } })).toEqual(expected);
    expect(called).toEqual(["before", "after"]);
    expect(logger.lines.map(({ message }) => message)).toEqual(Array(failures).fill("An observer failed"));
  });

  it("changes nothing: it cannot be made", () => {
    const logger = recordingLogger();
    const evaluator = createEvaluator({ observers: [tracing(throwing)], logger });
    expect(evaluator.evaluate(rating, { input: { income: 5 } })).toMatchObject({ status: "OK" });
    expect(logger.lines).toMatchObject([{ message: "An observer failed" }]);
  });

  it("does not hide what a hook threw", async () => {
    const { trace } = diary();
    const cause = new Error("database");
    const hooks: Hooks = { beforeEvaluate: () => Promise.reject(cause) };
    const options = { observers: [tracing(() => trace)], hooks, logger: recordingLogger() };
    const evaluated = createEvaluator(options).evaluate(loan, { input: { score: 700 } });
    await expect(evaluated).rejects.toMatchObject({ code: "EVALUATION_FAILED", cause });
  });

  it("asks a thenable once, which may start its work each time", async () => {
    let asked = 0;
    const done = Promise.resolve();
    const query: PromiseLike<void> = {
      then: (fulfilled, rejected) => {
        asked += 1;
        return done.then(fulfilled, rejected);
      },
    };
    const { trace } = diary();
    const hooks: Hooks = { beforeEvaluate: () => query };
    const evaluator = createEvaluator({ observers: [tracing(() => trace)], hooks });
    await evaluator.evaluate(loan, { input: { score: 700 } });
    expect(asked).toBe(1);
  });
});

describe("the trace context", () => {
  const traced = tracing(() => ({ traceparent, onEnded() {} }));

  it("is in the record", () => {
    const log = new MemoryLog();
    createEvaluator({ observers: [traced], log }).evaluate(loan, { input: { score: 700 } });
    expect(log.kept).toMatchObject([{ traceparent }]);
  });

  it("is in the line of the log that reports a fault", () => {
    const logger = recordingLogger();
    const evaluator = createEvaluator({ observers: [traced], logger });
    expect(() => evaluator.evaluate(loan, { input: { score: 13 }, requestId: "req-1" })).toThrow(DecernError);
    expect(logger.lines).toMatchObject([
      {
        message: "Evaluation failed",
        details: {
          requestId: "req-1",
          trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
          span_id: "00f067aa0ba902b7",
        },
      },
    ]);
  });

  it("is left out of both where it is none", () => {
    const log = new MemoryLog();
    const logger = recordingLogger();
    const broken = tracing(() => ({ traceparent: 'no", "trace', onEnded() {} }));
    const evaluator = createEvaluator({ observers: [broken], logger, log });
    expect(() => evaluator.evaluate(loan, { input: { score: 13 } })).toThrow(DecernError);
    expect(log.kept).toMatchObject([{ traceparent: undefined }]);
    expect(Object.keys(logger.lines[0]?.details ?? {})).toEqual(["err", "decisionId", "requestId"]);
  });
});
