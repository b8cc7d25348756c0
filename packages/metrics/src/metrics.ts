import type { EvaluationObserver, MetricLabels, MetricsCollectorPort, MetricsFeature } from "@decern/core";
import { checkedOptions, feature } from "@decern/core/options";
import { neverThrowing } from "@decern/core/tools";
import { EvaluationMetrics } from "./evaluation-metrics.js";
import {
  expose,
  openMetricsText,
  prefersOpenMetrics,
  prometheusText,
  type TextFormat,
} from "./exposition.js";
import { collectorRows, type MetricsCollectorOptions, type MetricsOptions, metricsRows } from "./options.js";
import { ProcessMetrics } from "./process-metrics.js";
import { refusal } from "./registry/names.js";
import { Registry } from "./registry/registry.js";

const noLabels: MetricLabels = {};

/**
 * Counts and measures in memory, and exports the metrics for Prometheus. Entirely synchronous.
 *
 * @example
 * ```ts
 * const collector = new MetricsCollector();
 * collector.increment("loans_granted_total", { branch: "north" });
 * collector.observe("bureau_request_duration_seconds", { bureau: "main" }, 0.042);
 * collector.getCounter("loans_granted_total", { branch: "north" }); // 1
 * ```
 */
export class MetricsCollector implements MetricsCollectorPort {
  /** Records evaluations under the built-in names. Pass it to `observers` of any host. */
  readonly observer: EvaluationObserver;
  readonly #registry: Registry;
  readonly #process: ProcessMetrics | undefined;

  /** @throws DecernError `INVALID_OPTIONS` for unknown or invalid options */
  constructor(options: MetricsCollectorOptions = {}) {
    const { buckets, maxSeries, versionLabel, exemplars, processMetrics, build, logger } = checkedOptions(
      "new MetricsCollector",
      options,
      collectorRows,
    );
    this.#registry = new Registry({ buckets: [...buckets], maxSeries, logger: neverThrowing(logger) });
    this.#process = processMetrics === true ? new ProcessMetrics(this.#registry, build) : undefined;
    this.observer = new EvaluationMetrics(this.#registry, versionLabel, exemplars);
  }

  /**
   * Adds to a counter. The first increment creates it.
   *
   * @param name - by convention it ends in `_total`
   * @param labels - in any order
   * @param value - @default 1
   * @throws DecernError `INVALID_OPTIONS` for a bad name or label, a histogram's name, or a `value` that is negative or
   *   not finite
   */
  increment(name: string, labels: MetricLabels = noLabels, value = 1): void {
    if (!(Number.isFinite(value) && value >= 0)) {
      throw refusal(
        `counter "${name}" must be increased by a finite number of at least 0, not by ${String(value)}`,
      );
    }
    this.#registry.series("counter", name, labels).value += value;
  }

  /**
   * Records a value in a histogram. The first value creates it.
   *
   * @param name - by convention it ends in the unit, such as `_seconds`
   * @throws DecernError `INVALID_OPTIONS` for a bad name or label, a counter's name, or a `value` that is not finite
   */
  observe(name: string, labels: MetricLabels, value: number): void {
    if (!Number.isFinite(value)) {
      throw refusal(`histogram "${name}" accepts only finite numbers, not ${String(value)}`);
    }
    this.#registry.series("histogram", name, labels).observe(value);
  }

  /**
   * Sets a gauge. The first value creates it.
   *
   * @param value - `undefined` where it is not known: the page then leaves it out
   * @throws DecernError `INVALID_OPTIONS` for a bad name or label, the name of another kind of metric, or a `value` that is not
   *   finite
   */
  set(name: string, labels: MetricLabels, value: number | undefined): void {
    if (value !== undefined && !Number.isFinite(value)) {
      throw refusal(`gauge "${name}" accepts only finite numbers, not ${String(value)}`);
    }
    this.#registry.series("gauge", name, labels).value = value;
  }

  /**
   * Reads a counter.
   *
   * @returns 0 if nothing was counted
   * @throws DecernError `INVALID_OPTIONS` for a histogram's name
   */
  getCounter(name: string, labels: MetricLabels = noLabels): number {
    return this.#registry.find("counter", name)?.series.find(labels)?.value ?? 0;
  }

  /**
   * Reads a histogram.
   *
   * @returns zeros if nothing was observed
   * @throws DecernError `INVALID_OPTIONS` for a counter's name
   */
  getHistogram(
    name: string,
    labels: MetricLabels = noLabels,
  ): { readonly sum: number; readonly count: number } {
    const series = this.#registry.find("histogram", name)?.series.find(labels);
    return { sum: series?.sum ?? 0, count: series?.count ?? 0 };
  }

  /** Renders all metrics in the Prometheus text format 0.0.4. */
  toPrometheus(): string {
    return this.#page(prometheusText);
  }

  /**
   * Renders the page for one scrape: OpenMetrics 1.0.0 if the scraper prefers it, otherwise the Prometheus text format 0.0.4.
   *
   * @param accept - the request's `Accept` header
   */
  render(accept?: string | undefined): { readonly contentType: string; readonly body: string } {
    const format = prefersOpenMetrics(accept) ? openMetricsText : prometheusText;
    return { contentType: format.contentType, body: this.#page(format) };
  }

  #page(format: TextFormat): string {
    this.#process?.collect();
    return expose(this.#registry.families(), this.#registry.buckets, format);
  }

  /** Clears all metrics. Observers keep working. */
  reset(): void {
    this.#registry.reset();
  }
}

const silent: EvaluationObserver = { onEvaluated() {} };

/**
 * Creates metrics for a host. Pass the result to `createServer` as `metrics`, or its `observer` to the `observers` of any host.
 *
 * @throws DecernError `INVALID_OPTIONS` for unknown or invalid options
 *
 * @example
 * ```ts
 * const m = metrics({ enabled: true });
 * app.use("/api", createDecisionRouter({ decisions, observers: [m.observer] }));
 * app.get(m.endpoint, (request, response) => {
 *   const { contentType, body } = m.render(request.headers.accept);
 *   response.set("content-type", contentType).send(body);
 * });
 * ```
 */
export function metrics(options: MetricsOptions = {}): MetricsFeature<MetricsCollector> {
  const { enabled, endpoint, ...rest } = checkedOptions("metrics", options, metricsRows);
  const collector = new MetricsCollector({
    ...rest,
    processMetrics: enabled && (rest.processMetrics ?? true),
  });
  return {
    [feature]: "metrics",
    enabled,
    endpoint,
    collector,
    observer: enabled ? collector.observer : silent,
    render: (accept) => collector.render(accept),
  };
}
