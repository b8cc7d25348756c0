const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
// Quantiles are known to within 1 %.
const rough = new Intl.NumberFormat("en", { maximumSignificantDigits: 2, signDisplay: "exceptZero" });
const signed = new Intl.NumberFormat("en", { maximumFractionDigits: 0, signDisplay: "exceptZero" });
const percent = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const nearlyAll = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A number of records or calls, such as `50,000`. */
export function count(value: number): string {
  return whole.format(value);
}

/** A number of an output, such as `8.11`. */
export function figure(value: number): string {
  return isExtreme(value) ? value.toExponential(3) : precise.format(value);
}

/** By how many more or fewer, such as `+228`. */
export function signedCount(value: number): string {
  return signed.format(value);
}

/** About how large a difference is, such as `+3`. */
export function difference(value: number): string {
  return isExtreme(value) ? `${value > 0 ? "+" : ""}${value.toExponential(3)}` : rough.format(value);
}

/** Written out, it would be mostly zeros. */
function isExtreme(value: number): boolean {
  const size = Math.abs(value);
  return size >= 1e12 || (size < 1e-4 && size > 0);
}

/** A share from 0 to 1 in per cent. It says 0% and 100% only of none and all. */
export function share(value: number): string {
  const hundredfold = value * 100;
  if (hundredfold > 0 && hundredfold < 0.001) return "under 0.001%";
  if (hundredfold < 10) return `${percent.format(hundredfold)}%`;
  if (hundredfold < 99) return `${tenths.format(hundredfold)}%`;
  return hundredfold > 99.99 && hundredfold < 100 ? "over 99.99%" : `${nearlyAll.format(hundredfold)}%`;
}

/** `part` of `all`, in per cent. */
export function shareOf(part: number, all: number): string {
  return share(all === 0 ? 0 : part / all);
}

/** Such as `1 record` and `2 records`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** An instant to the second, in UTC. */
export function instant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** From when to when, to the minute. Absent without records. */
export function period(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [start, end] = [from, to].map((iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`);
  if (start === undefined || end === undefined || start === end) return `${start} UTC`;
  const isSameDay = start.slice(0, 10) === end.slice(0, 10);
  return `${start} to ${isSameDay ? end.slice(11) : end} UTC`;
}
