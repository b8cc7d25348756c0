import type { EvaluationEvent, EvaluationObserver, EvaluationStart } from "@decern/core";
import { Durations } from "./durations.js";
import { EvaluationSpans } from "./evaluation-spans.js";
import { checkOpenTelemetryOptions, type OpenTelemetryOptions } from "./options.js";

/**
 * Makes an observer that reports evaluations to OpenTelemetry: a span for each, with children for hooks and used decisions,
 * and a histogram of durations. Without an SDK it does next to nothing.
 *
 * @returns an observer for the `observers` of any host
 * @throws DecernError `INVALID_OPTIONS` for unknown or invalid options
 *
 * @example
 * ```ts
 * createServer({ decisions, observers: [openTelemetry()] });
 * ```
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): EvaluationObserver {
  checkOpenTelemetryOptions(options);
  const { tracerProvider, meterProvider, exceptions = false } = options;
  const spans = new EvaluationSpans(tracerProvider, exceptions);
  const durations = new Durations(meterProvider);
  return {
    onStarted: (start: EvaluationStart) => spans.start(start),
    onEvaluated: (event: EvaluationEvent) => durations.record(event),
  };
}
