import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { formatReport } from "../../src/index.js";
import { visible } from "../../src/report/markdown.js";
import { hostileReport, hostileTexts } from "../support/hostile.js";
import { readPage } from "../support/read-html.js";
import { reportWith, sampled, typical } from "../support/reports.js";

/** Which elements a page has, whatever its texts are. */
function skeleton(html: string): readonly string[] {
  return readPage(html).elements.map(
    ({ name, attributes }) => `${name} ${Object.keys(attributes).join(" ")}`,
  );
}

it.each([
  ["typical", typical],
  ["of samples", sampled],
  ["of nothing", reportWith()],
])("a page %s is HTML without parse errors", (_name, report) => {
  expect(readPage(formatReport(report, "html")).errors).toEqual([]);
});

describe.each(hostileTexts.map((text) => [visible(text).slice(0, 40), text] as const))(
  "%s",
  (_name, text) => {
    const html = formatReport(hostileReport(text), "html");

    it("is text in the page, and nothing else", () => {
      expect(readPage(html).errors).toEqual([]);
      expect(skeleton(html)).toEqual(skeleton(formatReport(hostileReport("harmless"), "html")));
    });

    it("is shown as it is, but for what cannot be seen", () => {
      const { elements } = readPage(html);
      const shown = elements.filter(({ name }) => name === "h2").map(({ text: heading }) => heading);
      expect(shown[0]).toContain(visible(text));
    });
  },
);

it("loads nothing and runs nothing", () => {
  const { elements } = readPage(formatReport(typical, "html"));
  expect(elements.filter(({ name }) => ["script", "link", "img", "iframe", "object"].includes(name))).toEqual(
    [],
  );
  const attributes = elements.flatMap((element) => Object.keys(element.attributes));
  expect(attributes.filter((name) => /^(?:on.*|style|src|href|action)$/.test(name))).toEqual([]);
});

it("allows only its own style sheet", () => {
  const { elements } = readPage(formatReport(typical, "html"));
  const style = elements.find(({ name }) => name === "style")?.text ?? "";
  const policy = elements.find(({ attributes }) => attributes["http-equiv"] === "Content-Security-Policy");
  expect(style).toContain("color-scheme: light dark");
  expect(style).not.toMatch(/url\(|@import/);
  const hash = createHash("sha256").update(style).digest("base64");
  expect(policy?.attributes["content"]).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  );
});

it("has each number of the matrix in its row and column", () => {
  const { elements } = readPage(formatReport(typical, "html"));
  const start = elements.findIndex(({ attributes }) => attributes["class"] === "matrix");
  const rest = elements.slice(start + 1);
  const table = rest.slice(
    0,
    rest.findIndex(({ name }) => name === "section"),
  );
  const heads = table
    .filter(({ name, attributes }) => name === "th" && attributes["scope"] === "col")
    .map(({ text }) => text);
  const columns = heads.slice(1);
  const cells = table
    .filter(({ name, attributes }) => name === "td" || attributes["scope"] === "row")
    .map(({ text }) => text);
  const rows = new Map<string, readonly string[]>();
  for (let at = 0; at < cells.length; at += columns.length + 1) {
    rows.set(cells[at] ?? "", cells.slice(at + 1, at + 1 + columns.length));
  }
  for (const { from, to, unchanged, changed } of typical.decisions[0]?.matrix ?? []) {
    const cell = rows.get(from)?.[columns.indexOf(to)];
    const expected = [unchanged, changed]
      .filter((value) => value > 0)
      .map((value) => value.toLocaleString("en"));
    expect(cell, `${from} to ${to}`).toBe(expected.join(" "));
  }
});
