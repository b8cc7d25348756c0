/** Renders a number for both formats. */
export function formatNumber(value: number): string {
  if (!(Math.abs(value) === Number.POSITIVE_INFINITY)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}

/**
 * Renders a bucket's bound as OpenMetrics requires: as Go prints a float, always recognizable as one. A bound is a label, and
 * labels are compared as text.
 *
 * @see https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md#considerations-canonical-numbers
 */
export function formatCanonical(value: number): string {
  const [mantissa = "", exponentText = ""] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (value !== 0 && (exponent < -4 || exponent >= 6)) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}
