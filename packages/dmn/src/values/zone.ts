/** A zone of a time: an offset, or a name of the IANA database. */
export class Zone {
  /** Seconds east of Greenwich; undefined if a name decides. */
  readonly offset: number | undefined;
  /** As FEEL writes it: `Z`, `+02:00` or `@Europe/Paris`. */
  readonly text: string;
  /** Of a zone by its name in the second of two hours of one local time: the zone itself. */
  readonly base: Zone;

  private constructor(offset: number | undefined, text: string, base?: Zone) {
    this.offset = offset;
    this.text = text;
    this.base = base ?? this;
  }

  static readonly utc = new Zone(0, "Z");

  /** @returns undefined for what is not a zone */
  static parse(text: string): Zone | undefined {
    if (text === "Z" || text === "z") return Zone.utc;
    if (text.startsWith("@")) return Zone.named(text.slice(1));
    const [, sign, hours, minutes, seconds = "0"] = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
    if (sign === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return Zone.ofOffset(sign === "-" ? -size : size);
  }

  static named(name: string): Zone | undefined {
    if (/^(Etc\/)?(UTC|GMT)$/.test(name)) return new Zone(0, `@${name}`);
    return /^[A-Za-z]/.test(name) && formatterOf(name) !== undefined
      ? new Zone(undefined, `@${name}`)
      : undefined;
  }

  /** @param seconds - up to 14 hours, as XML Schema has it, and FEEL up to 18 */
  static ofOffset(seconds: number): Zone | undefined {
    if (!Number.isInteger(seconds) || Math.abs(seconds) > 18 * 3600) return undefined;
    if (seconds === 0) return Zone.utc;
    const size = Math.abs(seconds);
    const rest = size % 60 === 0 ? "" : `:${two(size % 60)}`;
    const sign = seconds < 0 ? "-" : "+";
    return new Zone(
      seconds,
      `${sign}${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}${rest}`,
    );
  }

  /** The offset in force at a local time. @param local - seconds since 1970 as if in UTC */
  offsetAt(local: number): number {
    if (this.offset !== undefined) return this.offset;
    const before = this.#offsetOf(local - 86_400);
    if (this.#offsetOf(local - before) === before) return before;
    const after = this.#offsetOf(local + 86_400);
    // A local time that the clock repeats is the first of the two, and one that it skips has the offset from before.
    return this.#offsetOf(local - after) === after ? after : before;
  }

  /** What it takes to find an offset. */
  get steps(): number {
    return this.offset === undefined ? 20 : 0;
  }

  /** The zone as it is at an instant, and its offset. @param instant - seconds since 1970 */
  at(instant: number): { readonly zone: Zone; readonly offset: number } {
    const { base } = this;
    const offset = base.#offsetOf(instant);
    const zone = base.offsetAt(instant + offset) === offset ? base : new Zone(offset, this.text, base);
    return { zone, offset };
  }

  #offsetOf(instant: number): number {
    if (this.offset !== undefined) return this.offset;
    const formatter = formatterOf(this.text.slice(1));
    if (formatter === undefined) return 0;
    // The calendar repeats after 400 years. So far from now the database has no changes, and years have other numbers of digits.
    const era = 146_097 * 86_400;
    const known = Math.floor(Math.abs(instant) < 4e10 ? instant : ((instant % era) + era) % era);
    const parts = new Map(
      formatter.formatToParts(known * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const shown = Date.UTC(
      part("year"),
      part("month") - 1,
      part("day"),
      part("hour"),
      part("minute"),
      part("second"),
    );
    return shown / 1000 - known;
  }
}

const formatters = new Map<string, Intl.DateTimeFormat | undefined>();

const mostFormatters = 1000;

/** Making a formatter takes longer than an evaluation. */
function formatterOf(name: string): Intl.DateTimeFormat | undefined {
  if (formatters.has(name)) return formatters.get(name);
  if (formatters.size >= mostFormatters) formatters.clear();
  const formatter = newFormatter(name);
  formatters.set(name, formatter);
  return formatter;
}

function newFormatter(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function two(value: number): string {
  return `${value}`.padStart(2, "0");
}
