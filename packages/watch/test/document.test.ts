import { expect, it } from "vitest";
import { readActivation } from "../src/document.js";

it.each([
  ["2027-01-01T00:00:00Z", 0],
  ["2027-01-01T00:00Z", 0],
  ["2027-01-01T00:00:00.250+00:00", 250],
  ["2026-12-31T19:00:00-05:00", 0],
  ["2027-01-01", undefined],
  ["2027-01-01T00:00:00", undefined],
  ["2027-13-01T00:00:00Z", undefined],
  ["2027-02-29T00:00:00Z", undefined],
  ["2027-01-01T24:61:00Z", undefined],
  ["2027-01-01T00:00:00+24:00", undefined],
  ["2027-01-01T00:00:00 +01:00", undefined],
  ["2027-01-01T00:00:00Z ", undefined],
  ["1798761600000", undefined],
  ["tomorrow", undefined],
  ["", undefined],
])("reads the instant %j", (text, afterNewYear) => {
  const newYear = Date.parse("2027-01-01T00:00:00Z");
  expect(readActivation(text)).toBe(afterNewYear === undefined ? undefined : newYear + afterNewYear);
});
