import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { formatReport } from "../../src/index.js";
import { columns } from "../../src/report/text-layout.js";
import { hostileReport, hostileTexts } from "../support/hostile.js";
import { cell, comparison, reportWith, sampled, tally, typical } from "../support/reports.js";

const reports = [typical, sampled, reportWith(), ...hostileTexts.map(hostileReport)];

describe.each([60, 80, 120])("a terminal of %i columns", (width) => {
  it("is wide enough for every line", () => {
    const tooWide = reports
      .flatMap((report) => formatReport(report, "text", { width, title: "x".repeat(300) }).split("\n"))
      .filter((line) => columns(line) > width);
    expect(tooWide).toEqual([]);
  });
});

it("obeys nothing that a record says to the terminal", () => {
  for (const report of reports) {
    const text = formatReport(report, "text");
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(stripVTControlCharacters(text)).toBe(text);
  }
});

it("is the same text in colours", () => {
  const plain = formatReport(typical, "text");
  const coloured = formatReport(typical, "text", { color: true });
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

it("lists transitions by frequency, with what stays the same as what is another output", () => {
  const lines = formatReport(typical, "text").split("\n");
  const listed = lines.filter((line) => /^ +[\d,]+ {2}OK\//.test(line)).slice(0, 4);
  expect(listed.map((line) => line.replace(/ +[█▏▎▍▌▋▊▉]+$/, "").trim())).toEqual([
    "1,004  OK/prime → OK/near-prime",
    "194  OK/standard → OK/debt-to-income",
    "12  OK/near-prime, a different output",
    "6  OK/prime → ERROR/EVALUATION_FAILED",
  ]);
});

it("says how many transitions it does not list", () => {
  const matrix = Array.from({ length: 33 }, (_, index) => cell("OK/a", `OK/b${index}`, { changed: 1 }));
  const counts = tally({ changed: 33 });
  const report = reportWith({ counts, decisions: [comparison("many", { counts, matrix })] });
  expect(formatReport(report, "text")).toContain("and 13 more transitions");
});
