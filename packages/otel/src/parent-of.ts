import type { RequestView } from "@decern/core";
import { type Context, propagation, type TextMapGetter, trace } from "@opentelemetry/api";

/**
 * The context to start a span in: the active span is the parent, such as that of the HTTP instrumentation; where there is none,
 * what the SDK's propagators read from the request's headers.
 */
export function parentOf(active: Context, request: RequestView | undefined): Context {
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
