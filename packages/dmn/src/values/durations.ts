export const nanosOfSecond = 1_000_000_000n;
export const nanosOfDay = 86_400n * nanosOfSecond;
const mostNanos = BigInt(Number.MAX_SAFE_INTEGER) * nanosOfDay;

/** Days, hours, minutes and seconds. */
export class DaysDuration {
  readonly nanos: bigint;

  private constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  /** @returns undefined for more days than a number counts exactly */
  static of(nanos: bigint): DaysDuration | undefined {
    return nanos > mostNanos || nanos < -mostNanos ? undefined : new DaysDuration(nanos);
  }

  static parse(text: string): DaysDuration | undefined {
    const parts =
      /^(-)?P(?=.)(?:(\d{1,18})D)?(?:T(?=.)(?:(\d{1,18})H)?(?:(\d{1,18})M)?(?:(\d{1,18})(?:\.(\d*))?S)?)?$/.exec(
        text,
      );
    if (parts === null) return undefined;
    const [, sign, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = parts;
    const total = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
    const nanos = total * nanosOfSecond + BigInt(fraction.slice(0, 9).padEnd(9, "0"));
    return DaysDuration.of(sign === undefined ? nanos : -nanos);
  }

  /** Each with the sign of the whole. */
  get parts(): { days: number; hours: number; minutes: number; seconds: number; nanos: number } {
    const seconds = this.nanos / nanosOfSecond;
    return {
      days: Number(seconds / 86_400n),
      hours: Number((seconds / 3600n) % 24n),
      minutes: Number((seconds / 60n) % 60n),
      seconds: Number(seconds % 60n),
      nanos: Number(this.nanos % nanosOfSecond),
    };
  }

  get totalSeconds(): number {
    return Number(this.nanos) / 1e9;
  }

  toString(): string {
    if (this.nanos === 0n) return "PT0S";
    const size = this.nanos < 0n ? new DaysDuration(-this.nanos) : this;
    const { days, hours, minutes, seconds, nanos } = size.parts;
    const clock =
      (hours === 0 ? "" : `${hours}H`) +
      (minutes === 0 ? "" : `${minutes}M`) +
      (seconds === 0 && nanos === 0 ? "" : `${seconds}${fractionText(nanos)}S`);
    return `${this.nanos < 0n ? "-" : ""}P${days === 0 ? "" : `${days}D`}${clock === "" ? "" : `T${clock}`}`;
  }
}

/** Years and months. */
export class MonthsDuration {
  readonly months: number;

  private constructor(months: number) {
    this.months = months;
  }

  static of(months: number): MonthsDuration | undefined {
    return Number.isSafeInteger(months) ? new MonthsDuration(months === 0 ? 0 : months) : undefined;
  }

  static parse(text: string): MonthsDuration | undefined {
    const parts = /^(-)?P(?=.)(?:(\d{1,15})Y)?(?:(\d{1,15})M)?$/.exec(text);
    if (parts === null) return undefined;
    const [, sign, years = "0", months = "0"] = parts;
    const total = Number(years) * 12 + Number(months);
    return MonthsDuration.of(sign === undefined ? total : -total);
  }

  toString(): string {
    const size = Math.abs(this.months);
    const years = Math.floor(size / 12);
    if (size === 0) return "P0M";
    const rest = size % 12;
    return `${this.months < 0 ? "-" : ""}P${years === 0 ? "" : `${years}Y`}${rest === 0 ? "" : `${rest}M`}`;
  }
}

export function parseDuration(text: string): DaysDuration | MonthsDuration | undefined {
  return DaysDuration.parse(text) ?? MonthsDuration.parse(text);
}

export function digits(value: number, width: number): string {
  return `${value}`.padStart(width, "0");
}

/** What follows the seconds. */
export function fractionText(nanos: number): string {
  return nanos === 0 ? "" : `.${digits(nanos, 9).replace(/0+$/, "")}`;
}
