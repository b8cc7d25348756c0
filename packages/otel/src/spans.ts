import { readFileSync } from "node:fs";
import {
  DecernError,
  type Decision,
  type EvaluationEvent,
  type EvaluationStart,
  type EvaluationTrace,
  type Hooks,
  type RequestView,
} from "@decern/core";
import {
  type Attributes,
  type Context,
  context,
  INVALID_TRACEID,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";

/** Of the tracer and the meter. */
export const scopeName = "@decern/otel";
/** This package's version, read from its manifest so the two cannot differ. Absent in a bundle, which has no manifest. */
export const scopeVersion = readVersion();

/** Attributes of spans and of the histogram. Nothing that a caller sent is among them, except the request id. */
export const attributeNames = {
  decisionId: "decern.decision.id",
  decisionVersion: "decern.decision.version",
  status: "decern.status",
  rule: "decern.rule",
  requestId: "decern.request_id",
  hook: "decern.hook",
  /** Of OpenTelemetry's semantic conventions. */
  errorType: "error.type",
} as const;

export const durationHistogram = {
  name: "decern.evaluation.duration",
  options: {
    description: "Duration of evaluations",
    unit: "s",
    advice: {
      explicitBucketBoundaries: [
        0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
      ],
    },
  },
};

function readVersion(): string | undefined {
  try {
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    );
    return version;
  } catch {
    return undefined;
  }
}

/** Which decision a span or a measurement is about. */
export function decisionAttributes({
  id,
  version,
}: {
  readonly id: string;
  readonly version: string;
}): Attributes {
  return { [attributeNames.decisionId]: id, [attributeNames.decisionVersion]: version };
}

type Outcome = Pick<EvaluationEvent, "status" | "matchedRule" | "error">;

interface SpanParts {
  readonly tracer: Tracer;
  /** Whether spans have the message and stack of what was thrown. */
  readonly exceptions: boolean;
}

/** The span of one evaluation, and those below it. */
class EvaluationSpan implements EvaluationTrace {
  readonly traceparent: string;
  readonly #span: Span;
  readonly #parts: SpanParts;
  /** Hooks and used decisions start below this. */
  #within: Context;
  /** Spans of hooks that have not settled. */
  readonly #open = new Set<Span>();

  constructor(span: Span, within: Context, parts: SpanParts) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    this.#span = span;
    this.#within = within;
    this.#parts = parts;
  }

  onHook(name: keyof Hooks, run: (ended: (fault?: DecernError) => void) => void): void {
    const { tracer } = this.#parts;
    const within = this.#within;
    const span = tracer.startSpan(name, { attributes: { [attributeNames.hook]: name } }, within);
    this.#open.add(span);
    // What the hook calls is below the span of the hook.
    context.with(trace.setSpan(within, span), () => run((fault) => this.#close(span, fault)));
  }

  onUsed(decision: Decision, run: () => Outcome): void {
    const { tracer } = this.#parts;
    const user = this.#within;
    const span = startSpan(tracer, decision, user);
    this.#within = trace.setSpan(user, span);
    const outcome = run();
    this.#within = user;
    this.#setOutcome(span, outcome);
    span.end();
  }

  onEnded(event: EvaluationEvent): void {
    const span = this.#span;
    for (const hook of this.#open) this.#close(hook, new DecernError("HOOK_TIMEOUT"));
    if (span.isRecording()) {
      span.setAttribute(attributeNames.requestId, event.context.requestId);
      this.#setOutcome(span, event);
    }
    span.end();
  }

  /** Ends the span of a hook, once. */
  #close(span: Span, fault: unknown): void {
    if (!this.#open.delete(span)) return;
    if (fault !== undefined) this.#fail(span, fault);
    span.end();
  }

  #setOutcome(span: Span, { status, matchedRule, error }: Outcome): void {
    span.setAttribute(attributeNames.status, status);
    if (matchedRule !== undefined) span.setAttribute(attributeNames.rule, matchedRule);
    if (error !== undefined) this.#fail(span, error);
  }

  /** Names only the kind of an error, because its message can quote an input. */
  #fail(span: Span, fault: unknown): void {
    const { code, statusCode } = fault instanceof DecernError ? fault : new DecernError("INTERNAL_ERROR");
    // A hook that refuses a call does its work.
    if (statusCode < 500) return;
    span.setAttribute(attributeNames.errorType, code);
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    if (this.#parts.exceptions) span.recordException(exceptionOf(fault));
  }
}

/** What was thrown, rather than what we made of it. */
function exceptionOf(fault: unknown): Error | string {
  const cause = fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
  return cause instanceof Error ? cause : String(cause);
}

function startSpan(tracer: Tracer, decision: Decision, parent: Context): Span {
  return tracer.startSpan(`evaluate ${decision.id}`, { attributes: decisionAttributes(decision) }, parent);
}

/**
 * The context to start a span in: the active span is the parent, such as that of the HTTP instrumentation; where there is none,
 * what the SDK's propagators read from the request's headers.
 */
function parentOf(active: Context, request: RequestView | undefined): Context {
  if (request === undefined || trace.getSpanContext(active) !== undefined) return active;
  return propagation.extract(active, request.headers, headerGetter);
}

const headerGetter: TextMapGetter<RequestView["headers"]> = {
  keys: (headers) => Object.keys(headers),
  get(headers, name) {
    const value = headers[name.toLowerCase()];
    return typeof value === "object" ? [...value] : value;
  },
};

/** Starts a span for each evaluation. */
export class EvaluationSpans {
  readonly #given: TracerProvider | undefined;
  #tracer: Tracer | undefined = undefined;
  readonly #exceptions: boolean;

  /** @param exceptions - whether spans have the message and stack of what was thrown */
  constructor(provider: TracerProvider | undefined, exceptions: boolean) {
    this.#given = provider;
    this.#exceptions = exceptions;
  }

  /** @returns `undefined` where there is no SDK */
  start({ decision, request }: EvaluationStart): EvaluationTrace | undefined {
    const tracer = this.#tracer ?? this.#findTracer();
    if (tracer === undefined) return undefined;
    const parent = parentOf(context.active(), request);
    const span = startSpan(tracer, decision, parent);
    // A span that is not sampled is followed too: what hooks call must not start traces of its own.
    if (span.spanContext().traceId === INVALID_TRACEID) return undefined;
    const within = trace.setSpan(parent, span);
    return new EvaluationSpan(span, within, { tracer, exceptions: this.#exceptions });
  }

  /** An SDK may be registered later. Until then this is all that an evaluation pays for. */
  #findTracer(): Tracer | undefined {
    const provider = this.#given ?? trace.getTracerProvider();
    this.#tracer =
      provider instanceof ProxyTracerProvider
        ? provider.getDelegateTracer(scopeName, scopeVersion)
        : provider.getTracer(scopeName, scopeVersion);
    return this.#tracer;
  }
}
