import { calculate, roundTo } from "@decern/core/tools";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dateOfEpochDay, dayOfWeek, epochDay } from "../src/values/calendar.js";
import { DaysDuration, MonthsDuration } from "../src/values/durations.js";
import { FeelDate, FeelDateTime } from "../src/values/temporal.js";
import { numberText } from "../src/values/text.js";
import { Zone } from "../src/values/zone.js";
import { evaluated } from "./support/feel.js";

const Digits = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

function to15(value: Decimal): number {
  return value.toSignificantDigits(15, Decimal.ROUND_HALF_UP).toNumber();
}

describe("numbers", () => {
  const base = fc.double({ min: 0.5, max: 3, noNaN: true }).map((value) => Number(value.toPrecision(8)));

  it("powers have 15 right digits", () => {
    fc.assert(
      fc.property(base, fc.integer({ min: -400, max: 400 }), (value, exponent) => {
        const expected = to15(new Digits(value).pow(exponent));
        expect(Math.abs(calculate("**", value, exponent) - expected)).toBeLessThanOrEqual(
          Math.abs(expected) * 1e-14,
        );
      }),
    );
  });

  it("the rest of a division has the sign of the divisor", () => {
    const value = fc.integer({ min: -1e6, max: 1e6 }).map((units) => units / 100);
    fc.assert(
      fc.property(value, value, (dividend, divisor) => {
        fc.pre(divisor !== 0);
        const [a, b] = [new Digits(dividend), new Digits(divisor)];
        const expected = a.minus(b.times(a.div(b).floor())).toNumber();
        expect(evaluated("modulo(a, b)", { a: dividend, b: divisor }).value).toBe(expected);
      }),
    );
  });

  it.each([
    ["half up", Decimal.ROUND_HALF_UP],
    ["half down", Decimal.ROUND_HALF_DOWN],
    ["half even", Decimal.ROUND_HALF_EVEN],
    ["up", Decimal.ROUND_UP],
    ["down", Decimal.ROUND_DOWN],
    ["floor", Decimal.ROUND_FLOOR],
    ["ceiling", Decimal.ROUND_CEIL],
  ] as const)("rounds %s", (name, mode) => {
    const value = fc.integer({ min: -1e9, max: 1e9 }).map((units) => units / 1000);
    fc.assert(
      fc.property(value, fc.integer({ min: -3, max: 4 }), (number, places) => {
        const unit = new Digits(10).pow(-places);
        const expected = new Digits(number).div(unit).toDecimalPlaces(0, mode).times(unit).toNumber() + 0;
        expect(roundTo(number, places, name)).toBe(expected);
      }),
    );
  });

  it.each([
    [1e21, "1000000000000000000000"],
    [1.5e-7, "0.00000015"],
    [-2.5e22, "-25000000000000000000000"],
    [0.1, "0.1"],
  ])("%d is written as %s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });
});

describe("the calendar", () => {
  it("agrees with JavaScript's dates", () => {
    fc.assert(
      fc.property(fc.integer({ min: -30_000_000, max: 30_000_000 }), (days) => {
        const date = new Date(days * 86_400_000);
        const parts = dateOfEpochDay(days);
        expect(parts).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        expect(epochDay(parts.year, parts.month, parts.day)).toBe(days);
        expect(dayOfWeek(days) % 7).toBe(date.getUTCDay());
      }),
    );
  });

  it("reads and writes date-times of any year", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("-009000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        (date, nanos) => {
          const value = FeelDateTime.ofInstant(date);
          const duration = DaysDuration.of(nanos);
          const moved = duration && value?.plus(duration);
          expect(moved?.nanos).toBe(BigInt(date.getTime()) * 1_000_000n + nanos);
          expect(FeelDateTime.parse(`${moved}`)?.nanos).toBe(moved?.nanos);
        },
      ),
    );
  });

  it("writes durations that it reads again", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer(), (nanos, months) => {
        expect(DaysDuration.parse(`${DaysDuration.of(nanos)}`)?.nanos).toBe(nanos);
        expect(MonthsDuration.parse(`${MonthsDuration.of(months)}`)?.months).toBe(months === 0 ? 0 : months);
      }),
    );
  });

  it.each(["2026-02-29", "2026-13-01", "2026-1-01", "02026-01-01", "+2026-01-01", "2026-01-01Z", "26-01-01"])(
    "%s is no date",
    (text) => {
      expect(FeelDate.parse(text)).toBeUndefined();
    },
  );
});

describe("zones", () => {
  it.each([
    ["@Europe/Paris", "2026-01-15T12:00:00", 3600],
    ["@Europe/Paris", "2026-07-15T12:00:00", 7200],
    // The hour that the clock repeats: the first time.
    ["@Europe/Paris", "2026-10-25T02:30:00", 7200],
    ["@Europe/Paris", "2026-10-25T03:00:00", 3600],
    ["@America/New_York", "2026-03-08T01:59:59", -18_000],
    ["@America/New_York", "2026-03-08T03:00:00", -14_400],
    ["@Asia/Kolkata", "1999-12-31T23:59:59", 19_800],
    ["@Etc/UTC", "2026-01-01T00:00:00", 0],
    ["@Europe/Paris", "999999999-07-01T12:00:00", 7200],
    ["+05:30", "2026-01-01T00:00:00", 19_800],
    ["-00:30:30", "2026-01-01T00:00:00", -1830],
  ])("%s at %s", (zone, local, offset) => {
    expect(FeelDateTime.parse(`${local}${zone}`)?.offset).toBe(offset);
  });

  it.each([
    ["2026-03-29T01:30:00", "PT1H", "03:30:00", 7200],
    ["2026-03-28T12:00:00", "P1D", "13:00:00", 7200],
    ["2026-10-25T02:30:00", "PT29M", "02:59:00", 7200],
    ["2026-10-25T02:30:00", "PT1H", "02:30:00", 3600],
    ["2026-10-25T03:30:00", "-PT1H", "02:30:00", 3600],
    ["2026-10-25T03:30:00", "-PT2H", "02:30:00", 7200],
  ])("%s in Paris and %s is %s, as much later", (text, by, clock, offset) => {
    const start = FeelDateTime.parse(`${text}@Europe/Paris`);
    const duration = DaysDuration.parse(by);
    const later = duration && start?.plus(duration);
    expect(`${later?.time}`).toBe(`${clock}@Europe/Paris`);
    expect(later?.offset).toBe(offset);
    expect((later?.nanos ?? 0n) - (start?.nanos ?? 0n)).toBe(duration?.nanos);
  });

  it("the second of two hours of one local time stays there, until the date is another", () => {
    const [hour, back] = [DaysDuration.parse("PT1H"), DaysDuration.parse("-PT1H")];
    const second = hour && FeelDateTime.parse("2026-10-25T02:30:00@Europe/Paris")?.plus(hour);
    expect(hour && back && second?.plus(hour)?.plus(back)?.nanos).toBe(second?.nanos);
    expect(second?.plusMonths(-1)?.offset).toBe(7200);
  });

  it("a day's end is the start of the next, whatever clocks do on that day", () => {
    expect(`${FeelDateTime.parse("2026-03-29T24:00:00@Europe/Paris")}`).toBe(
      "2026-03-30T00:00:00@Europe/Paris",
    );
    expect(FeelDateTime.parse("2026-03-29T24:00:00.5")).toBeUndefined();
  });

  it.each(["@", "@Nowhere", "@Europe/Nowhere", "+2:00", "+19:00", "+02:60", "@+02:00"])(
    "%s is no zone",
    (text) => {
      expect(Zone.parse(text)).toBeUndefined();
    },
  );
});
