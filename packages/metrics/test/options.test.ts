import { optionSuite } from "../../../test/suites/option-suite.js";
import { MetricsCollector, type MetricsOptions, metrics } from "../src/index.js";
import type { MetricsCollectorOptions } from "../src/options.js";

const collectorCases = {
  buckets: {
    right: [0.1, 1],
    items: ["zero", "one", "minus one", "fraction", "one more than a timer takes"],
  },
  maxSeries: { right: 5, takes: ["one", "one more than a timer takes"] },
  versionLabel: { right: true, takes: ["true", "false"] },
  exemplars: { right: true, takes: ["true", "false"] },
  processMetrics: { right: false, takes: ["true", "false"] },
  build: { right: "4f2a", takes: ["text"] },
  logger: { right: { error: () => {} } },
} as const;

optionSuite<MetricsCollectorOptions>(
  "new MetricsCollector",
  collectorCases,
  {},
  (options) => new MetricsCollector(options),
);

optionSuite<MetricsOptions>(
  "metrics",
  {
    ...collectorCases,
    enabled: { right: true, takes: ["true", "false"] },
    endpoint: { right: "/metrics" },
  },
  {},
  metrics,
);
