import { dateOfEpochDay, daysOfMonth, epochDay, lastYear } from "./calendar.js";
import {
  type DaysDuration,
  digits,
  fractionText,
  type MonthsDuration,
  nanosOfDay,
  nanosOfSecond,
  parseDuration,
} from "./durations.js";
import { Zone } from "./zone.js";

const secondsOfDay = 86_400;

export class FeelDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;

  private constructor(year: number, month: number, day: number) {
    this.year = year;
    this.month = month;
    this.day = day;
  }

  /** @returns undefined for a date that the calendar lacks */
  static of(year: number, month: number, day: number): FeelDate | undefined {
    if (!Number.isInteger(year) || !Number.isInteger(month) || !Number.isInteger(day)) return undefined;
    if (Math.abs(year) > lastYear || month < 1 || month > 12) return undefined;
    return day < 1 || day > daysOfMonth(year, month) ? undefined : new FeelDate(year, month, day);
  }

  static parse(text: string): FeelDate | undefined {
    const [, year, month, day] = /^(-?(?:[1-9]\d{4,8}|\d{4}))-(\d\d)-(\d\d)$/.exec(text) ?? [];
    return year === undefined ? undefined : FeelDate.of(Number(year), Number(month), Number(day));
  }

  static ofEpochDay(days: number): FeelDate | undefined {
    const { year, month, day } = dateOfEpochDay(days);
    return FeelDate.of(year, month, day);
  }

  get epochDay(): number {
    return epochDay(this.year, this.month, this.day);
  }

  /** A day that the month lacks becomes its last. */
  plusMonths(months: number): FeelDate | undefined {
    const total = this.year * 12 + this.month - 1 + months;
    const year = Math.floor(total / 12);
    const month = total - year * 12 + 1;
    return FeelDate.of(year, month, Math.min(this.day, daysOfMonth(year, month)));
  }

  toString(): string {
    const sign = this.year < 0 ? "-" : "";
    return `${sign}${digits(Math.abs(this.year), 4)}-${digits(this.month, 2)}-${digits(this.day, 2)}`;
  }
}

export class FeelTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanos: number;
  readonly zone: Zone | undefined;

  private constructor(hour: number, minute: number, second: number, nanos: number, zone: Zone | undefined) {
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.nanos = nanos;
    this.zone = zone;
  }

  /** @param second - with a fraction, of which nine digits are kept */
  static of(hour: number, minute: number, second: number, zone: Zone | undefined): FeelTime | undefined {
    if (!Number.isInteger(hour) || hour < 0 || hour > 23) return undefined;
    if (!Number.isInteger(minute) || minute < 0 || minute > 59) return undefined;
    if (!(second >= 0 && second < 60)) return undefined;
    const whole = Math.floor(second);
    const nanos = Number((second - whole).toFixed(9).slice(2));
    return new FeelTime(hour, minute, whole, second - whole > 0.999_999_999_5 ? 999_999_999 : nanos, zone);
  }

  static parse(text: string): FeelTime | undefined {
    const parts = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|z|[+-]\d\d:\d\d(?::\d\d)?|@.+)?$/.exec(text);
    if (parts === null) return undefined;
    const [, hour, minute, second, fraction = "", suffix] = parts;
    const zone = suffix === undefined ? undefined : Zone.parse(suffix);
    if (suffix !== undefined && zone === undefined) return undefined;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
    const nanos = Number(fraction.slice(0, 9).padEnd(9, "0"));
    return new FeelTime(Number(hour), Number(minute), Number(second), nanos, zone);
  }

  /** @param nanos - of the day */
  static ofNanos(nanos: bigint, zone: Zone | undefined): FeelTime {
    const second = Number(nanos / nanosOfSecond);
    return new FeelTime(
      Math.floor(second / 3600),
      Math.floor(second / 60) % 60,
      second % 60,
      Number(nanos % nanosOfSecond),
      zone,
    );
  }

  get secondOfDay(): number {
    return this.hour * 3600 + this.minute * 60 + this.second;
  }

  /** Since midnight in UTC; a zone by its name as it was in 1970. */
  get nanosOfDay(): bigint {
    const offset = this.zone?.offsetAt(this.secondOfDay) ?? 0;
    return BigInt(this.secondOfDay - offset) * nanosOfSecond + BigInt(this.nanos);
  }

  plus(duration: DaysDuration): FeelTime {
    const sum = BigInt(this.secondOfDay) * nanosOfSecond + BigInt(this.nanos) + duration.nanos;
    return FeelTime.ofNanos(sum - wholeDivision(sum, nanosOfDay) * nanosOfDay, this.zone);
  }

  withZone(zone: Zone | undefined): FeelTime {
    return new FeelTime(this.hour, this.minute, this.second, this.nanos, zone);
  }

  toString(): string {
    const clock = `${digits(this.hour, 2)}:${digits(this.minute, 2)}:${digits(this.second, 2)}`;
    return `${clock}${fractionText(this.nanos)}${this.zone?.text ?? ""}`;
  }
}

export class FeelDateTime {
  readonly date: FeelDate;
  readonly time: FeelTime;

  /** @param zone - of two hours of one local time, the first, unless the zone says the second */
  constructor(date: FeelDate, time: FeelTime, zone = time.zone?.base) {
    this.date = date;
    this.time = zone === time.zone ? time : time.withZone(zone);
  }

  static parse(text: string): FeelDateTime | undefined {
    const [day = "", clock] = text.split(/T(.*)/s, 2);
    const date = FeelDate.parse(day);
    if (clock === undefined) return date && new FeelDateTime(date, FeelTime.ofNanos(0n, undefined));
    // The end of a day is the start of the next.
    const isEnd = /^24:00:00(?:\.0+)?(?![.\d])/.test(clock);
    const time = FeelTime.parse(isEnd ? clock.replace("24", "00") : clock);
    const start = isEnd && date !== undefined ? FeelDate.ofEpochDay(date.epochDay + 1) : date;
    return start === undefined || time === undefined ? undefined : new FeelDateTime(start, time);
  }

  static ofDate(date: FeelDate): FeelDateTime {
    return new FeelDateTime(date, FeelTime.ofNanos(0n, Zone.utc));
  }

  static ofInstant(instant: Date): FeelDateTime | undefined {
    return FeelDateTime.ofNanos(BigInt(instant.getTime()) * 1_000_000n, Zone.utc);
  }

  /** @param nanos - since 1970; of a local time as if in UTC */
  static ofNanos(nanos: bigint, zone: Zone | undefined): FeelDateTime | undefined {
    const there = zone?.at(Number(wholeDivision(nanos, nanosOfSecond)));
    const local = nanos + BigInt(there?.offset ?? 0) * nanosOfSecond;
    const days = wholeDivision(local, nanosOfDay);
    const rest = local - days * nanosOfDay;
    const date = FeelDate.ofEpochDay(Number(days));
    const time = FeelTime.ofNanos(rest, there?.zone);
    return date === undefined ? undefined : new FeelDateTime(date, time, there?.zone);
  }

  get #localSecond(): number {
    return this.date.epochDay * secondsOfDay + this.time.secondOfDay;
  }

  /** Seconds east of Greenwich; undefined for a local time. */
  get offset(): number | undefined {
    return this.time.zone?.offsetAt(this.#localSecond);
  }

  /** Nanoseconds since 1970; of a local time as if in UTC. */
  get nanos(): bigint {
    const local = BigInt(this.date.epochDay) * BigInt(secondsOfDay) + BigInt(this.time.secondOfDay);
    return (local - BigInt(this.offset ?? 0)) * nanosOfSecond + BigInt(this.time.nanos);
  }

  /** In a zone, as much later as the duration says, whatever its clocks do in between. */
  plus(duration: DaysDuration): FeelDateTime | undefined {
    return FeelDateTime.ofNanos(this.nanos + duration.nanos, this.time.zone);
  }

  /** The same instant; a local time stays as it is. */
  inZone(zone: Zone): FeelDateTime | undefined {
    if (this.time.zone === undefined) return new FeelDateTime(this.date, this.time.withZone(zone));
    return FeelDateTime.ofNanos(this.nanos, zone);
  }

  plusMonths(months: number): FeelDateTime | undefined {
    const date = this.date.plusMonths(months);
    return date === undefined ? undefined : new FeelDateTime(date, this.time);
  }

  toString(): string {
    return `${this.date}T${this.time}`;
  }
}

/** Rounded down. */
function wholeDivision(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** What `@` stands before. */
export function parseTemporal(
  text: string,
): FeelDate | FeelDateTime | FeelTime | DaysDuration | MonthsDuration | undefined {
  return FeelDate.parse(text) ?? FeelDateTime.parse(text) ?? FeelTime.parse(text) ?? parseDuration(text);
}
