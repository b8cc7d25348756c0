import type { EvaluationStart, EvaluationTrace } from "@decern/core";
import {
  context,
  INVALID_TRACEID,
  ProxyTracerProvider,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { EvaluationSpan } from "./evaluation-span.js";
import { scopeName, scopeVersion } from "./names.js";
import { parentOf } from "./parent-of.js";
import { SpanPlans } from "./span-plans.js";

/** Starts a span for each evaluation. */
export class EvaluationSpans {
  readonly #given: TracerProvider | undefined;
  #tracer: Tracer | undefined = undefined;
  readonly #exceptions: boolean;
  readonly #plans = new SpanPlans();

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
    const { name, options } = this.#plans.of(decision);
    const span = tracer.startSpan(name, options, parent);
    // A span that is not sampled is followed too: what hooks call must not start traces of its own.
    if (span.spanContext().traceId === INVALID_TRACEID) return undefined;
    const within = trace.setSpan(parent, span);
    const parts = { tracer, plans: this.#plans, exceptions: this.#exceptions };
    return new EvaluationSpan(span, within, parts);
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
