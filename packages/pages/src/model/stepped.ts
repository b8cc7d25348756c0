interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** A number one step further, within its bounds, in decimal arithmetic: 0.1 and 0.2 make 0.3. */
export function stepped(value: number, step: number, { min, max }: Bounds): number {
  const digits = Math.min(maxDigits, Math.max(fractionDigits(value), fractionDigits(step)));
  const next = Number((value + step).toFixed(digits));
  return Math.min(max ?? next, Math.max(min ?? next, next));
}

/** The maximum that `toFixed` accepts. */
const maxDigits = 100;

function fractionDigits(value: number): number {
  const [, fraction = "", exponent = "0"] = /^[^.e]*(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
