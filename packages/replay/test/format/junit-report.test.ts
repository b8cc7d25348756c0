import { describe, expect, it } from "vitest";
import { formatReport, type ReplayReport } from "../../src/index.js";
import { visible } from "../../src/report/markdown.js";
import { hostileReport, hostileTexts } from "../support/hostile.js";
import { readXml, type XmlElement } from "../support/read-xml.js";
import { comparison, reportWith, sampled, tally, typical } from "../support/reports.js";

function junit(report: ReplayReport): XmlElement {
  return readXml(formatReport(report, "junit"));
}

function cases(element: XmlElement): readonly XmlElement[] {
  return element.children.flatMap((child) => (child.name === "testcase" ? [child] : cases(child)));
}

function failed(element: XmlElement): readonly XmlElement[] {
  return cases(element).filter(({ children }) => children.some(({ name }) => name === "failure"));
}

it.each([
  ["typical", typical],
  ["of samples", sampled],
  ["of nothing", reportWith()],
])("a report %s counts its tests rightly", (_name, report) => {
  const root = junit(report);
  for (const element of [root, ...root.children]) {
    expect(element.attributes["tests"]).toBe(String(cases(element).length));
    expect(element.attributes["failures"]).toBe(String(failed(element).length));
  }
});

it("fails for each outcome that changes when more changed than allowed, never for shadows", () => {
  const names = failed(junit(typical)).map(
    ({ attributes }) => `${attributes["classname"]}: ${attributes["name"]}`,
  );
  expect(names).toEqual([
    "Replay: changes are within the allowance",
    "loan-approval: OK/near-prime",
    "loan-approval: OK/prime",
    "loan-approval: OK/standard",
  ]);
});

it("fails nothing within the allowance, and tells what changed all the same", () => {
  const root = junit(sampled);
  expect(failed(root)).toEqual([]);
  const owner = cases(root).find(({ attributes }) => attributes["name"] === "OK/owner");
  expect(owner?.children[0]?.name).toBe("system-out");
  expect(owner?.children[0]?.text).toContain("7 → NO_MATCH");
});

it("fails when nothing could be compared", () => {
  const counts = tally({ skipped: 3 });
  const root = junit(reportWith({ counts, decisions: [comparison("gone", { counts })] }));
  expect(failed(root)).toHaveLength(1);
  expect(cases(root).at(-1)?.children[0]?.name).toBe("skipped");
});

describe.each(hostileTexts.map((text) => [visible(text).slice(0, 40), text] as const))(
  "%s",
  (_name, text) => {
    it("is text in the document, and nothing else", () => {
      const shape = (element: XmlElement): unknown => [
        element.name,
        Object.keys(element.attributes),
        element.children.map(shape),
      ];
      const root = junit(hostileReport(text));
      expect(shape(root)).toEqual(shape(junit(hostileReport("harmless"))));
      expect(root.children[1]?.attributes["name"]).toBe(visible(text));
    });
  },
);
