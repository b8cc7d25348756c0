import fc from "fast-check";
import { expect, it } from "vitest";
import { fromPickerValue, toPickerValue } from "../../src/model/dates.js";

it.each([
  ["date", "2026-01-31", "2026-01-31"],
  ["date", "31.1.2026", ""],
  ["date", "2026-01-31T09:30:00Z", ""],
  ["date-time", "2026-01-31T09:30:00Z", "2026-01-31T09:30:00"],
  ["date-time", "2026-01-31t09:30:59.123+02:00", "2026-01-31T09:30:59"],
  ["date-time", "2026-01-31T09:30Z", "2026-01-31T09:30:00"],
  ["date-time", "2026-01-31", ""],
] as const)("shows a %s %s as %s", (format, text, shown) => {
  expect(toPickerValue(format, text)).toBe(shown);
});

it("writes what was picked in the schema's format, and keeps the offset that was there", () => {
  expect(fromPickerValue("date", "2026-02-01", "rubbish")).toBe("2026-02-01");
  expect(fromPickerValue("date-time", "2026-02-01T08:00", "")).toBe("2026-02-01T08:00:00Z");
  expect(fromPickerValue("date-time", "2026-02-01T08:00:07", "2026-01-31T09:30:00-05:00")).toBe(
    "2026-02-01T08:00:07-05:00",
  );
});

it("changes nothing when what is shown is picked", () => {
  const instants = fc.date({
    min: new Date("0001-01-01"),
    max: new Date("9999-12-31"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (instant) => {
      const text = `${instant.toISOString().slice(0, 19)}Z`;
      expect(fromPickerValue("date-time", toPickerValue("date-time", text), text)).toBe(text);
    }),
  );
});
