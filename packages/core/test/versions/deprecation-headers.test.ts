import { parseItem } from "structured-headers";
import { describe, expect, it } from "vitest";
import { deprecationHeaders } from "../../src/service/version-policy.js";

const since = "2026-05-01";
const sunset = new Date("2027-01-31T23:59:59.900Z");

describe("the headers of a deprecated version", () => {
  it.each([since, "2026-05-01T12:34:56.789+02:00", new Date(0), "1969-07-20"])(
    "have the date %s as an independent parser of structured fields reads it, in whole seconds",
    (date) => {
      const [value, parameters] = parseItem(deprecationHeaders({ since: date })["deprecation"] ?? "");
      expect(value).toEqual(new Date(Math.floor(new Date(date).getTime() / 1000) * 1000));
      expect(parameters.size).toBe(0);
    },
  );

  it("have the end as an HTTP date, which knows no fractions of a second", () => {
    const header = deprecationHeaders({ since, sunset })["sunset"] ?? "";
    expect(Date.parse(header)).toBe(Date.parse("2027-01-31T23:59:59Z"));
    expect(header).toMatch(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/);
  });

  it("have a link with the relation type that RFC 9745 registers", () => {
    const link = "https://example.com/versions?id=loan#v1";
    expect(deprecationHeaders({ since, link })["link"]).toBe(`<${link}>; rel="deprecation"`);
  });

  it("lack what the host does not say", () => {
    expect(Object.keys(deprecationHeaders({ since }))).toEqual(["deprecation"]);
    expect(Object.keys(deprecationHeaders({ since, sunset }))).toEqual(["deprecation", "sunset"]);
  });
});
