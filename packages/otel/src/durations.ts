import type { Decision, EvaluationEvent } from "@decern/core";
import {
  type Attributes,
  createNoopMeter,
  type Histogram,
  type MeterProvider,
  metrics,
} from "@opentelemetry/api";
import { attributeNames, decisionAttributes, durationHistogram, scopeName, scopeVersion } from "./names.js";

/** Attributes of one decision by status. Made once: an evaluation is quicker than building them. */
type StatusAttributes = Partial<Record<EvaluationEvent["status"], Attributes>>;

/** The histogram of durations. */
export class Durations {
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
