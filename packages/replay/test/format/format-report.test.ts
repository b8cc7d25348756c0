import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { type FormatOptions, formatReport, type ReplayReport, reportFormats } from "../../src/index.js";
import { hostileReport, hostileTexts } from "../support/hostile.js";
import { reportWith, sampled, typical } from "../support/reports.js";

const schema = JSON.parse(readFileSync(new URL("../../schema/report.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: true, strictRequired: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

function schemaErrors(json: string): unknown {
  return validate(JSON.parse(json)) ? [] : validate.errors;
}

const reports: readonly (readonly [name: string, report: ReplayReport])[] = [
  ["a typical report", typical],
  ["a report of samples", sampled],
  ["a report of nothing", reportWith()],
  ["a hostile report", hostileReport(hostileTexts.join(""))],
];

describe.each(reports)("%s as JSON", (_name, report) => {
  it("is what replay returned", () => {
    expect(JSON.parse(formatReport(report, "json"))).toEqual(report);
  });

  it("is valid by the published schema, with and without inputs", () => {
    expect(schemaErrors(formatReport(report, "json"))).toEqual([]);
    expect(schemaErrors(formatReport(report, "json", { omitInputs: true }))).toEqual([]);
  });
});

it("has a schema that refuses what no report has", () => {
  const { counts, ...others } = typical;
  expect(schemaErrors(JSON.stringify(others))).not.toEqual([]);
  expect(schemaErrors(JSON.stringify({ ...typical, more: 1 }))).not.toEqual([]);
  expect(schemaErrors(JSON.stringify({ ...typical, counts: { ...counts, changed: -1 } }))).not.toEqual([]);
});

describe.each(reportFormats)("%s", (format) => {
  it.each(reports)("of %s ends with one line break", (_name, report) => {
    const text = formatReport(report, format);
    expect(text.endsWith("\n")).toBe(true);
    expect(text.endsWith("\n\n")).toBe(false);
  });

  it("leaves out inputs, and what quotes them", () => {
    const withInputs = formatReport(typical, format);
    const without = formatReport(typical, format, { omitInputs: true });
    for (const quoted of ["monthlyIncome", "Score 741 is 740 or more"]) {
      expect(withInputs).toContain(quoted);
      expect(without).not.toContain(quoted);
    }
    expect(without).toContain("near-prime");
    expect(without).toContain("019a3c5e-4b1f-7c44-9d0e-3c1f6a2b9e50");
  });

  it("does not change the report", () => {
    const before = JSON.stringify(typical);
    formatReport(typical, format, { omitInputs: true, title: "Loans" });
    expect(JSON.stringify(typical)).toBe(before);
  });
});

describe.each(reportFormats.filter((format) => format !== "json"))("%s for people", (format) => {
  it("says how many results changed, from what to what, and shows an example", () => {
    const text = formatReport(typical, format);
    const headline = text.indexOf("1,216 of 50,000 results changed, and 6 failed");
    const count = text.indexOf("1,004", headline);
    const example = text.indexOf("12.9", count);
    expect(headline).toBeGreaterThanOrEqual(0);
    expect(count).toBeGreaterThan(headline);
    expect(example).toBeGreaterThan(count);
  });

  it("says that a share is an estimate where calls were sampled", () => {
    const text = formatReport(sampled, format);
    expect(text).toContain("7 of 50,000 results changed");
    expect(text).toMatch(/0\.014% of calls, estimated from samples/);
  });

  it("does not call it a success when nothing was compared", () => {
    expect(formatReport(reportWith(), format)).toContain("Nothing was compared, so nothing is proven");
  });

  it("has the title", () => {
    expect(formatReport(sampled, format, { title: "Loans of March" })).toContain("Loans of March");
  });
});

it("takes a terminal of 0 columns for one of unknown width", () => {
  expect(formatReport(typical, "text", { width: 0 })).toBe(formatReport(typical, "text"));
});

describe("wrong options", () => {
  it.each<[string, FormatOptions]>([
    ["/width", { width: -1 }],
    ["/title", { title: "" }],
    ["/colour", Object({ colour: true })],
  ])("are refused: %s", (path, options) => {
    expect(() => formatReport(typical, "text", options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTIONS", problems: [expect.objectContaining({ path })] }),
    );
  });

  it("are refused: a format that does not exist", () => {
    const format = Object("pdf");
    expect(() => formatReport(typical, format)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path: "/format" })] }),
    );
  });
});
