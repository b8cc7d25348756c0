import type { EvaluationObserver, MetricsFeature } from "@decern/core";
import { feature } from "@decern/core/tools";
import { MetricsCollector } from "./collector.js";
import { defaultEndpoint } from "./names.js";
import { checkMetricsOptions, type MetricsOptions } from "./options.js";

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
  checkMetricsOptions(options);
  const { enabled = false, endpoint = defaultEndpoint, ...rest } = options;
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
