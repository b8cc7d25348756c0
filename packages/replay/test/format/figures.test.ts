import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headline, period, share } from "../../src/report/words.js";
import { tally } from "../support/reports.js";

describe("a share", () => {
  it.each([
    [0, "0%"],
    [1e-9, "under 0.001%"],
    [0.00014, "0.014%"],
    [0.005, "0.5%"],
    [0.0244, "2.4%"],
    [0.9312, "93.1%"],
    [0.9951, "99.51%"],
    [0.999999, "over 99.99%"],
    [1, "100%"],
  ])("of %d is %s", (value, text) => {
    expect(share(value)).toBe(text);
  });

  it("is 0% only of none, and 100% only of all", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        expect(share(value) === "0%").toBe(value === 0);
        expect(share(value) === "100%").toBe(value === 1);
      }),
    );
  });
});

describe("a headline", () => {
  it.each([
    [tally(), "No results could be compared"],
    [tally({ skipped: 4 }), "No results could be compared"],
    [tally({ unchanged: 1 }), "The result did not change"],
    [tally({ unchanged: 50_000 }), "No results changed (50,000 compared)"],
    [tally({ unchanged: 49_993, changed: 7 }), "7 of 50,000 results changed"],
    [tally({ unchanged: 9, changed: 1 }), "1 of 10 results changed"],
    [tally({ unchanged: 9, failed: 1 }), "1 of 10 results failed"],
    [tally({ unchanged: 7, changed: 1, failed: 2 }), "1 of 10 results changed, and 2 failed"],
    [tally({ changed: 1 }), "1 of 1 result changed"],
  ])("of %o is %s", (counts, text) => {
    expect(headline(counts)).toBe(text);
  });
});

it("a period has its end only where that is another minute", () => {
  expect(period("2026-03-01T08:00:01.000Z", "2026-03-01T08:00:59.000Z")).toBe("2026-03-01 08:00 UTC");
  expect(period("2026-03-01T08:00:01.000Z", "2026-03-02T09:30:00.000Z")).toBe(
    "2026-03-01 08:00 to 2026-03-02 09:30 UTC",
  );
  expect(period("2026-03-01T08:00:01.000Z", "2026-03-01T09:30:00.000Z")).toBe(
    "2026-03-01 08:00 to 09:30 UTC",
  );
  expect(period(undefined, undefined)).toBeUndefined();
});
