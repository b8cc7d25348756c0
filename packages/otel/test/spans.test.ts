import { createEvaluator, DecernError, type EvaluatorOptions, type Hooks } from "@decern/core";
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AlwaysOffSampler, ParentBasedSampler } from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import { openTelemetry } from "../src/index.js";
import { enableContexts, inMemoryTraces, loan, points, silent, spanNamed, treeOf } from "./fixtures.js";

enableContexts();

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

function traced(options: EvaluatorOptions = {}, exceptions = false) {
  const { tracerProvider, spans } = inMemoryTraces();
  const observers = [openTelemetry({ tracerProvider, exceptions })];
  const evaluator = createEvaluator({ observers, logger: silent, ...options });
  return { evaluator, spans, tracer: tracerProvider.getTracer("host") };
}

describe("the span of an evaluation", () => {
  it("says which decision, version, request, status and rule", () => {
    const { evaluator, spans } = traced();
    evaluator.evaluate(points, { input: { score: 700 }, requestId: "req-1" });
    expect(spans()).toHaveLength(1);
    const [span] = spans();
    expect(span).toMatchObject({
      name: "evaluate points",
      kind: SpanKind.INTERNAL,
      status: { code: SpanStatusCode.UNSET },
      instrumentationScope: { name: "@decern/otel" },
      events: [],
    });
    expect(span?.attributes).toEqual({
      "decern.decision.id": "points",
      "decern.decision.version": "2.0.0",
      "decern.request_id": "req-1",
      "decern.status": "OK",
      "decern.rule": "counted",
    });
  });

  it("is below the active span, and what hooks call is below the hook", async () => {
    const names: string[] = [];
    const hooks: Hooks = {
      beforeEvaluate: async () => {
        await later();
        tracer.startSpan("GET bureau").end();
        names.push("before");
      },
      afterEvaluate: async () => {
        await later();
        tracer.startSpan("INSERT audit").end();
        names.push("after");
      },
    };
    const { evaluator, spans, tracer } = traced({ hooks });
    await tracer.startActiveSpan("POST /decisions/:id", async (request) => {
      await evaluator.evaluate(loan, { input: { score: 700 } });
      request.end();
    });
    expect(names).toEqual(["before", "after"]);
    expect(treeOf(spans())).toEqual({
      "POST /decisions/:id": {
        "evaluate loan": {
          beforeEvaluate: { "GET bureau": {} },
          "evaluate rating": { "evaluate points": {} },
          "evaluate points": {},
          afterEvaluate: { "INSERT audit": {} },
        },
      },
    });
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(spanNamed(spans(), "beforeEvaluate").attributes).toEqual({ "decern.hook": "beforeEvaluate" });
    expect(spanNamed(spans(), "evaluate rating").attributes).toEqual({
      "decern.decision.id": "rating",
      "decern.decision.version": "1.1.0",
      "decern.status": "OK",
      "decern.rule": "good",
    });
  });

  it("ends after the spans of its hooks, even of those that settle at once", async () => {
    const { evaluator, spans } = traced({
      hooks: { beforeEvaluate: async () => {}, afterEvaluate: async () => {} },
    });
    await evaluator.evaluate(points, { input: { score: 700 } });
    // The exporter gets a span when it ends.
    expect(spans().map(({ name, status }) => [name, status.code])).toEqual([
      ["beforeEvaluate", SpanStatusCode.UNSET],
      ["afterEvaluate", SpanStatusCode.UNSET],
      ["evaluate points", SpanStatusCode.UNSET],
    ]);
  });

  it("is no error when the caller is at fault", async () => {
    const refused = Object.assign(new Error("quota"), { statusCode: 429 });
    const hooks: Hooks = {
      beforeEvaluate: ({ requestId }) => {
        if (requestId === "refused") throw refused;
      },
    };
    const { evaluator, spans } = traced({ hooks });
    const input = { score: -1 };
    await evaluator.evaluate(points, { input });
    const unknown: unknown = {};
    await evaluator.evaluate(points, { input: unknown });
    await expect(evaluator.evaluate(points, { input, requestId: "refused" })).rejects.toThrow(DecernError);
    const statuses = spans()
      .filter(({ name }) => name === "evaluate points")
      .map(({ attributes, status }) => [attributes["decern.status"], status.code]);
    expect(statuses).toEqual([
      ["NO_MATCH", SpanStatusCode.UNSET],
      ["INVALID_INPUT", SpanStatusCode.UNSET],
      ["REFUSED", SpanStatusCode.UNSET],
    ]);
    expect(spans().filter(({ status }) => status.code !== SpanStatusCode.UNSET)).toEqual([]);
    expect(spans().filter(({ attributes }) => "error.type" in attributes)).toEqual([]);
  });
});

describe("a fault", () => {
  const error = { code: SpanStatusCode.ERROR, message: "EVALUATION_FAILED" };

  it("is the error of the evaluation and of the used decision where it happened", () => {
    const { evaluator, spans } = traced();
    expect(() => evaluator.evaluate(loan, { input: { score: 13 } })).toThrow(DecernError);
    expect(spans().map(({ name }) => name)).toEqual(["evaluate points", "evaluate rating", "evaluate loan"]);
    for (const { status, attributes } of spans()) {
      expect(status).toEqual(error);
      expect(attributes["error.type"]).toBe("EVALUATION_FAILED");
    }
    expect(spanNamed(spans(), "evaluate loan").attributes["decern.status"]).toBe("ERROR");
  });

  it("of a hook is the error of its span; afterwards it leaves the evaluation as it was", async () => {
    const hooks: Hooks = { afterEvaluate: () => Promise.reject(new Error("audit")), onError: () => {} };
    const { evaluator, spans } = traced({ hooks });
    await evaluator.evaluate(points, { input: { score: 700 } });
    expect(spanNamed(spans(), "afterEvaluate").status).toEqual(error);
    expect(spanNamed(spans(), "onError").status).toEqual({ code: SpanStatusCode.UNSET });
    expect(spanNamed(spans(), "evaluate points").status).toEqual({ code: SpanStatusCode.UNSET });
  });

  it("of a hook that never settles ends its span with that of the evaluation", async () => {
    const hooks: Hooks = { beforeEvaluate: () => new Promise(() => {}) };
    const { evaluator, spans } = traced({ hooks, hookTimeoutMs: 1 });
    await expect(evaluator.evaluate(points, { input: { score: 700 } })).rejects.toThrow(DecernError);
    expect(spans().map(({ name, status }) => [name, status])).toEqual([
      ["beforeEvaluate", { code: SpanStatusCode.ERROR, message: "HOOK_TIMEOUT" }],
      ["evaluate points", { code: SpanStatusCode.ERROR, message: "HOOK_TIMEOUT" }],
    ]);
  });

  it("has the exception of the rule where the host asks for it", () => {
    const { evaluator, spans } = traced({}, true);
    expect(() => evaluator.evaluate(points, { input: { score: 13 } })).toThrow(DecernError);
    const [span] = spans();
    expect(span?.events).toMatchObject([
      {
        name: "exception",
        attributes: { "exception.type": "Error", "exception.message": "secret of the rule" },
      },
    ]);
  });
});

describe("what was sent", () => {
  it("is in no span, whatever comes of the call", async () => {
    const secret = "Jane Doe";
    const hooks: Hooks = {
      beforeEvaluate: ({ input, requestId }) => {
        if (requestId === "quoted") throw new Error(`cannot look up ${JSON.stringify(input)}`);
        return { input };
      },
      onError: () => {},
      afterEvaluate: () => {},
    };
    const { evaluator, spans } = traced({ hooks });
    for (const score of [987654321, -1, 13, "none"]) {
      const input: unknown = { score, name: secret };
      await Promise.resolve(evaluator.evaluate(loan, { input })).catch(() => {});
    }
    const input = { score: 987654321, name: secret };
    await Promise.resolve(evaluator.evaluate(loan, { input, requestId: "quoted" })).catch(() => {});
    expect(spans().filter(({ name }) => name === "evaluate loan")).toHaveLength(5);
    for (const { name, attributes, events, status } of spans()) {
      const text = JSON.stringify({ name, attributes, events, status });
      expect(text).not.toMatch(/Jane|secret|98765432|look up/);
    }
  });
});

describe("the parent", () => {
  const remote = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  it("is the caller's span where no span is active", () => {
    const { tracerProvider, spans } = inMemoryTraces();
    const observer = openTelemetry({ tracerProvider });
    expect(observer.onStarted?.({ decision: points, traceparent: remote })?.traceparent).toMatch(
      /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[\da-f]{16}-01$/,
    );
    createEvaluator({ observers: [observer] }).evaluate(points, { input: { score: 1 } });
    expect(spans()[0]?.parentSpanContext).toBeUndefined();
  });

  it("is the active span otherwise, which is below the caller's", () => {
    const { tracerProvider } = inMemoryTraces();
    const observer = openTelemetry({ tracerProvider });
    const active = tracerProvider.getTracer("host").startSpan("POST");
    const traceparent = context.with(trace.setSpan(ROOT_CONTEXT, active), () => {
      return observer.onStarted?.({ decision: points, traceparent: remote })?.traceparent;
    });
    expect(traceparent).toContain(active.spanContext().traceId);
  });

  it("decides about sampling, and what is not sampled starts no trace of its own", async () => {
    const { tracerProvider, spans } = inMemoryTraces(
      new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    );
    const tracer = tracerProvider.getTracer("host");
    const parents: (string | undefined)[] = [];
    const hooks: Hooks = {
      beforeEvaluate: async () => {
        await later();
        parents.push(trace.getActiveSpan()?.spanContext().traceId);
        tracer.startSpan("GET bureau").end();
      },
    };
    const observer = openTelemetry({ tracerProvider });
    await createEvaluator({ observers: [observer], hooks }).evaluate(loan, { input: { score: 700 } });
    expect(parents).toEqual([expect.stringMatching(/^[\da-f]{32}$/)]);
    expect(spans()).toEqual([]);
    expect(observer.onStarted?.({ decision: points, traceparent: undefined })?.traceparent).toMatch(/-00$/);
  });
});
