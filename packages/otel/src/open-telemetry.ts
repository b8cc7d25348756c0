import type { Decision, EvaluationEvent, EvaluationObserver, EvaluationStart } from "@decern/core";
import { checkedOptions, kinds, type OptionsOf, option } from "@decern/core/options";
import {
  type Attributes,
  createNoopMeter,
  type Histogram,
  type MeterProvider,
  metrics,
  type TracerProvider,
} from "@opentelemetry/api";
import {
  attributeNames,
  decisionAttributes,
  durationHistogram,
  EvaluationSpans,
  scopeName,
  scopeVersion,
} from "./spans.js";

const rows = {
  /**
   * Receives spans.
   *
   * An SDK can also be registered later.
   * @default the registered one
   */
  tracerProvider: option(kinds.withMethods<TracerProvider>("getTracer")),
  /**
   * Receives durations.
   *
   * An SDK can also be registered later.
   * @default the registered one
   */
  meterProvider: option(kinds.withMethods<MeterProvider>("getMeter")),
  /** Adds error messages and stacks, which can quote inputs. @default false */
  exceptions: option(kinds.flag, false),
};

/** Options of `openTelemetry`. */
export interface OpenTelemetryOptions extends OptionsOf<typeof rows> {}

/** Attributes of one decision by status. Made once: making them takes 600 ns or more, and finding them 30 ns. */
type StatusAttributes = Partial<Record<EvaluationEvent["status"], Attributes>>;

/** The histogram of durations. */
class Durations {
  readonly #given: MeterProvider | undefined;
  readonly #decisions = new WeakMap<Decision, StatusAttributes>();
  #provider: MeterProvider | undefined = undefined;
  /** Absent where there is no SDK. */
  #histogram: Histogram | undefined = undefined;

  constructor(meterProvider: MeterProvider | undefined) {
    this.#given = meterProvider;
  }

  record({ decision, status, durationSeconds }: EvaluationEvent): void {
    const provider = this.#given ?? metrics.getMeterProvider();
    if (provider !== this.#provider) this.#use(provider);
    this.#histogram?.record(durationSeconds, this.#attributesOf(decision, status));
  }

  /** A meter of the API never learns of an SDK that is registered later. */
  #use(provider: MeterProvider): void {
    const { name, options } = durationHistogram;
    const meter = provider.getMeter(scopeName, scopeVersion);
    this.#histogram = meter === createNoopMeter() ? undefined : meter.createHistogram(name, options);
    this.#provider = provider;
  }

  #attributesOf(decision: Decision, status: EvaluationEvent["status"]): Attributes {
    let statuses = this.#decisions.get(decision);
    if (statuses === undefined) {
      statuses = {};
      this.#decisions.set(decision, statuses);
    }
    statuses[status] ??= { ...decisionAttributes(decision), [attributeNames.status]: status };
    return statuses[status];
  }
}

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
  const { tracerProvider, meterProvider, exceptions } = checkedOptions("openTelemetry", options, rows);
  const spans = new EvaluationSpans(tracerProvider, exceptions);
  const durations = new Durations(meterProvider);
  return {
    onStarted: (start: EvaluationStart) => spans.start(start),
    onEvaluated: (event: EvaluationEvent) => durations.record(event),
  };
}
