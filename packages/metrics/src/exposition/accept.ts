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
