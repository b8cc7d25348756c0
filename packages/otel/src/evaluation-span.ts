import {
  DecernError,
  type Decision,
  type EvaluationEvent,
  type EvaluationTrace,
  type Hooks,
} from "@decern/core";
import { type Context, context, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { attributeNames } from "./names.js";
import type { SpanPlans } from "./span-plans.js";

/** What came of an evaluation. */
type Outcome = Pick<EvaluationEvent, "status" | "matchedRule" | "error">;

/** What all spans of an observer share. */
interface SpanParts {
  readonly tracer: Tracer;
  /** Whether spans have the message and stack of what was thrown. */
  readonly exceptions: boolean;
  readonly plans: SpanPlans;
}

/** The span of one evaluation, and those below it. */
export class EvaluationSpan implements EvaluationTrace {
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
    const { tracer, plans } = this.#parts;
    const user = this.#within;
    const { name, options } = plans.of(decision);
    const span = tracer.startSpan(name, options, user);
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

  /** Names the kind of a fault only: its message may quote an input. */
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
