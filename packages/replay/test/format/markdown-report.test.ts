import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { formatReport } from "../../src/index.js";
import { code, fenced, plain, table, visible } from "../../src/report/markdown.js";
import { hostileReport, hostileTexts } from "../support/hostile.js";
import { type Element, readFragment } from "../support/read-html.js";
import { cell, comparison, reportWith, tally, typical } from "../support/reports.js";

/** What a comment on GitHub can hold. */
const mostCharacters = 65_536;

/** Markdown as a parser of GitHub's dialect reads it. */
function rendered(markdown: string): ReturnType<typeof readFragment> {
  return readFragment(
    micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true }),
  );
}

function names(elements: readonly Element[]): readonly string[] {
  return elements.map(({ name }) => name);
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."<>&`*_~[]()!|\\@#:$^-=+.w/ \n\tahtps123") }),
);

describe("a text from a record", () => {
  it("is itself in a line", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { elements, text: shown } = rendered(`a ${plain(text)} b`);
        expect(names(elements)).toEqual(["p"]);
        expect(shown.trim()).toBe(`a ${visible(text)} b`);
      }),
    );
  });

  it("is itself in a cell of a table", () => {
    fc.assert(
      fc.property(anyText, anyText, (one, two) => {
        const { elements } = rendered(table([code("a"), "b"], ["left", "right"], [[code(one), code(two)]]));
        expect(names(elements)).toEqual("table thead tr th code th tbody tr td code td code".split(" "));
        const [, ...shown] = elements.filter(({ name }) => name === "code").map(({ text }) => text);
        expect(shown).toEqual([one, two].map(visible));
      }),
    );
  });

  it("never ends a block of code", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const block = text.split("\n").map(visible).join("\n");
        const { elements } = rendered(`${fenced(block, "json")}\n\nafter`);
        expect(names(elements)).toEqual(["pre", "code", "p"]);
        expect(elements[0]?.text).toBe(`${block}\n`);
      }),
    );
  });
});

describe.each(hostileTexts.map((text) => [visible(text).slice(0, 40), text] as const))(
  "%s",
  (_name, text) => {
    it("is text in the report, and nothing else", () => {
      const tree = (of: string) => names(rendered(formatReport(hostileReport(of), "markdown")).elements);
      // Long texts leave examples out; what is there has the same form.
      if (text.length < 1000) expect(tree(text)).toEqual(tree("harmless"));
      expect(tree(text)).not.toContain("script");
      expect(tree(text)).not.toContain("a");
    });
  },
);

it("says how much changes in the heading, and from what to what in the first table", () => {
  const { elements } = rendered(formatReport(typical, "markdown", { title: "Loans" }));
  expect(elements.find(({ name }) => name === "h3")?.text).toBe(
    "❌ Loans: 1,216 of 50,000 results changed, and 6 failed",
  );
  const first = elements.find(({ name }) => name === "tbody")?.text.replaceAll(/\s+/g, " ");
  expect(first).toContain("1,004 OK/prime OK/near-prime /rate 4.9 → 7.9");
});

it("fits into a comment, however much changes, and keeps the tables rather than the examples", () => {
  const example = hostileReport("`*|<".repeat(400)).decisions[0]?.matrix[0]?.examples[0];
  const examples = example === undefined ? [] : [example, example, example];
  const matrix = Array.from({ length: 200 }, (_, index) =>
    cell("OK/a", `OK/b${index}`, { changed: 1, examples }),
  );
  const counts = tally({ changed: 200 });
  const decisions = Array.from({ length: 30 }, (_, index) =>
    comparison(`decision-${index}`, { counts, matrix }),
  );
  const text = formatReport(reportWith({ counts, decisions }), "markdown");
  expect(text.length).toBeLessThanOrEqual(mostCharacters);
  expect(text.length).toBeGreaterThan(mostCharacters / 2);
  expect(text).toMatch(/_\d+ more parts do not fit into a comment\._\n$/);
  const { elements } = rendered(text);
  expect(names(elements).filter((name) => name === "h4").length).toBeGreaterThan(1);
});
