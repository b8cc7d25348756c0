import {
  type Exemplar,
  type Family,
  type Histogram,
  openMetricsName,
  openMetricsType,
} from "./registry/family.js";
import { labelText } from "./registry/series-table.js";

function formatNumber(value: number): string {
  if (!(Math.abs(value) === Number.POSITIVE_INFINITY)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}

/**
 * Renders a bucket's bound as OpenMetrics requires: as Go prints a float, always recognizable as one. A bound is a label, and
 * labels are compared as text.
 *
 * @see https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md#considerations-canonical-numbers
 */
function formatCanonical(value: number): string {
  const [mantissa = "", exponentText = ""] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (value !== 0 && (exponent < -4 || exponent >= 6)) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** The differences between the two text formats. */
export interface TextFormat {
  readonly contentType: string;
  readonly name: (family: Family) => string;
  readonly type: (family: Family) => string;
  readonly bound: (value: number) => string;
  /** Whether `_sum` and `_count` of a histogram can be written. */
  readonly hasSum: (bounds: readonly number[], sum: number) => boolean;
  readonly exemplar: (exemplar: Exemplar | undefined) => string;
  readonly end: string;
}

/** @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const prometheusText: TextFormat = {
  contentType: "text/plain; version=0.0.4; charset=utf-8",
  name: (family) => family.name,
  type: (family) => family.kind,
  bound: String,
  hasSum: () => true,
  exemplar: () => "",
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
  exemplar: (exemplar) =>
    exemplar === undefined
      ? ""
      : ` # {${labelText(exemplar.labels)}} ${formatNumber(exemplar.value)} ${exemplar.at / 1000}`,
  end: "# EOF\n",
};

/** Renders metrics as text: for each, its help and type once, then every series. */
export function expose(families: Iterable<Family>, buckets: readonly number[], format: TextFormat): string {
  const bounds = [...buckets.map(format.bound), "+Inf"];
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
    for (const series of family.series.values()) {
      page += bucketLines(name, series, bounds, format);
      if (!format.hasSum(buckets, series.sum)) continue;
      page += sample(`${name}_sum`, series.labels, series.sum);
      page += sample(`${name}_count`, series.labels, series.count);
    }
  }
  return page + format.end;
}

function bucketLines(name: string, series: Histogram, bounds: readonly string[], format: TextFormat): string {
  const before = series.labels === "" ? "" : `${series.labels},`;
  let lines = "";
  for (const [index, count] of series.cumulative().entries()) {
    const labels = `${before}le="${bounds[index] ?? "+Inf"}"`;
    lines += sample(`${name}_bucket`, labels, count, format.exemplar(series.exemplars[index]));
  }
  return lines;
}

function sample(name: string, labels: string, value: number, exemplar = ""): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${formatNumber(value)}${exemplar}\n`;
}

/** One media range of an `Accept` header. */
interface MediaRange {
  readonly type: string;
  readonly version: string | undefined;
  readonly quality: number;
}

const openMetrics = { type: "application/openmetrics-text", version: "1.0.0" };

const prometheus = { type: "text/plain", version: "0.0.4" };

/** Whether a scraper prefers OpenMetrics 1.0.0 to the Prometheus text format 0.0.4. */
export function prefersOpenMetrics(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(",").flatMap(parseRange);
  return qualityOf(openMetrics, ranges) > qualityOf(prometheus, ranges);
}

/** The quality of the most specific matching range (RFC 9110, section 12.5.1). */
function qualityOf(offer: typeof openMetrics, ranges: readonly MediaRange[]): number {
  let best = { specificity: 0, quality: 0 };
  for (const { type, version, quality } of ranges) {
    const specificity = specificityOf(offer, type, version);
    if (specificity === 0 || specificity < best.specificity) continue;
    if (specificity > best.specificity || quality > best.quality) best = { specificity, quality };
  }
  return best.quality;
}

function specificityOf(offer: typeof openMetrics, type: string, version: string | undefined): number {
  if (type === "*/*") return 1;
  if (type === `${offer.type.split("/", 1)[0]}/*`) return 2;
  if (type !== offer.type) return 0;
  if (version === undefined) return 3;
  return version === offer.version ? 4 : 0;
}

/** Reads one range. Ignores malformed ranges, and parameters other than `version` and `q`. */
function parseRange(text: string): readonly MediaRange[] {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  let version: string | undefined;
  let quality = 1;
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=", 2).map((part) => part.trim());
    if (name.toLowerCase() === "version") version = value.replaceAll('"', "");
    if (name.toLowerCase() !== "q") continue;
    if (!/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value)) return [];
    quality = Number(value);
  }
  return [{ type: type.toLowerCase(), version, quality }];
}
