import { type Context, trace } from "@opentelemetry/api";

/**
 * The context to start a span in: the active span is the parent, such as that of the HTTP instrumentation; where there is none,
 * the caller's span.
 *
 * @param traceparent - valid W3C Trace Context
 */
export function parentOf(active: Context, traceparent: string | undefined): Context {
  if (traceparent === undefined || trace.getSpanContext(active) !== undefined) return active;
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(active, { traceId, spanId, traceFlags, isRemote: true });
}
