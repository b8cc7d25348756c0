import { createEvaluator, DecernError, type EvaluatorOptions, type Hooks } from "@decern/core";
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from "@opentelemetry/api";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import { AlwaysOffSampler, ParentBasedSampler } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTelemetry } from "../src/index.js";
import {
  enableContexts,
  inMemoryTraces,
  loan,
  points,
  silent,
  spanNamed,
  treeOf,
  version,
} from "./fixtures.js";

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
      instrumentationScope: { name: "@decern/otel", version },
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
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  const from = (headers: Readonly<Record<string, string | readonly string[]>>) => ({
    decision: points,
    request: { method: "POST", path: "/", headers, ip: undefined, identity: undefined },
  });
  const w3c = new CompositePropagator({
    propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
  });
  beforeEach(() => void propagation.setGlobalPropagator(w3c));
  afterEach(() => propagation.disable());

  /** What a hook sends on with its own requests. */
  function sentOn(headers: Readonly<Record<string, string | readonly string[]>>): Record<string, string> {
    const { tracerProvider } = inMemoryTraces();
    const carrier: Record<string, string> = {};
    openTelemetry({ tracerProvider })
      .onStarted?.(from(headers))
      ?.onHook?.("beforeEvaluate", (ended) => {
        propagation.inject(context.active(), carrier);
        ended();
      });
    return carrier;
  }

  it("is the caller's span where no span is active", () => {
    const { tracerProvider, spans } = inMemoryTraces();
    const observer = openTelemetry({ tracerProvider });
    expect(observer.onStarted?.(from({ traceparent }))?.traceparent).toMatch(
      /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[\da-f]{16}-01$/,
    );
    createEvaluator({ observers: [observer] }).evaluate(points, { input: { score: 1 } });
    expect(spans()[0]?.parentSpanContext).toBeUndefined();
  });

  it("comes with the tracestate and the baggage, which hooks send on", () => {
    const carrier = sentOn({ traceparent, tracestate: "rojo=1,congo=2", baggage: "tenant=blue" });
    expect(carrier).toMatchObject({ tracestate: "rojo=1,congo=2", baggage: "tenant=blue" });
    expect(carrier["traceparent"]).toContain(traceId);
    // Without a valid parent, the state belongs to no trace.
    for (const broken of ["", traceparent.toUpperCase(), `ff${traceparent.slice(2)}`]) {
      const alone = sentOn({ traceparent: broken, tracestate: "rojo=1", baggage: "tenant=blue" });
      expect(alone["baggage"]).toBe("tenant=blue");
      expect(alone).not.toHaveProperty("tracestate");
      expect(alone["traceparent"]).not.toContain(traceId);
    }
  });

  it("is whatever the SDK's propagators read, by a name in any case", () => {
    const read: unknown[] = [];
    const other: TextMapPropagator = {
      inject: () => {},
      fields: () => ["X-Trace"],
      extract(into, carrier, getter) {
        read.push(getter.get(carrier, "X-Trace"), getter.get(carrier, "x-many"), getter.keys(carrier));
        const spanContext = { traceId, spanId: "00f067aa0ba902b7", traceFlags: 1, isRemote: true };
        return trace.setSpanContext(into, spanContext);
      },
    };
    propagation.disable();
    propagation.setGlobalPropagator(other);
    const { tracerProvider } = inMemoryTraces();
    const started = openTelemetry({ tracerProvider }).onStarted?.(
      from({ "x-trace": "1", "x-many": ["a", "b"] }),
    );
    expect(started?.traceparent).toContain(traceId);
    expect(read).toEqual(["1", ["a", "b"], ["x-trace", "x-many"]]);
  });

  it("is the active span otherwise, which is below the caller's", () => {
    const { tracerProvider } = inMemoryTraces();
    const observer = openTelemetry({ tracerProvider });
    const active = tracerProvider.getTracer("host").startSpan("POST");
    const started = context.with(trace.setSpan(ROOT_CONTEXT, active), () => {
      return observer.onStarted?.(from({ traceparent }))?.traceparent;
    });
    expect(started).toContain(active.spanContext().traceId);
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
    expect(observer.onStarted?.({ decision: points, request: undefined })?.traceparent).toMatch(/-00$/);
  });
});
