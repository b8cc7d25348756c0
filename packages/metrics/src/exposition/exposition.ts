import { type Family, openMetricsName, openMetricsType } from "../registry/family.js";
import type { Histogram } from "../registry/histogram.js";
import { formatCanonical, formatNumber } from "./numbers.js";

/** The differences between the two text formats. */
export interface TextFormat {
  readonly contentType: string;
  readonly name: (family: Family) => string;
  readonly type: (family: Family) => string;
  readonly bound: (value: number) => string;
  /** Whether `_sum` and `_count` of a histogram can be written. */
  readonly hasSum: (bounds: readonly number[], sum: number) => boolean;
  readonly end: string;
}

/** @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const prometheusText: TextFormat = {
  contentType: "text/plain; version=0.0.4; charset=utf-8",
  name: (family) => family.name,
  type: (family) => family.kind,
  bound: String,
  hasSum: () => true,
  end: "",
};

/** @see https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md */
export const openMetricsText: TextFormat = {
  contentType: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  name: openMetricsName,
  type: openMetricsType,
  bound: formatCanonical,
  // In OpenMetrics a sum is a counter, which cannot be negative, and a count requires a sum.
  hasSum: (bounds, sum) => (bounds[0] ?? 0) >= 0 && sum >= 0,
  end: "# EOF\n",
};

/** Renders metrics as text: for each, its help and type once, then every series. */
export function expose(families: Iterable<Family>, format: TextFormat): string {
  let page = "";
  for (const family of families) {
    const name = format.name(family);
    page += `# HELP ${name} ${family.help}\n# TYPE ${name} ${format.type(family)}\n`;
    if (family.kind !== "histogram") {
      for (const { labels, value } of family.series.values()) {
        if (value !== undefined) page += sample(family.name, labels, value);
      }
      continue;
    }
    const bounds = [...family.bounds.map(format.bound), "+Inf"];
    for (const series of family.series.values()) {
      page += buckets(name, series, bounds);
      if (!format.hasSum(family.bounds, series.sum)) continue;
      page += sample(`${name}_sum`, series.labels, series.sum);
      page += sample(`${name}_count`, series.labels, series.count);
    }
  }
  return page + format.end;
}

function buckets(name: string, series: Histogram, bounds: readonly string[]): string {
  const before = series.labels === "" ? "" : `${series.labels},`;
  let lines = "";
  for (const [index, count] of series.cumulative().entries()) {
    lines += sample(`${name}_bucket`, `${before}le="${bounds[index] ?? "+Inf"}"`, count);
  }
  return lines;
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${formatNumber(value)}\n`;
}
