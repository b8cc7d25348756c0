import { loadDmn } from "@decern/dmn";
import { createServer } from "@decern/server";
import { describe, expect, it } from "vitest";
import { formLoaded, problems, shown, useBrowser } from "./browser.js";
import { shipping } from "./tables.js";

const model = `<definitions xmlns="https://www.omg.org/spec/DMN/20230324/MODEL/" name="Lending" namespace="urn:lending">
  <itemDefinition name="tGrade"><typeRef>string</typeRef><allowedValues><text>"A", "B", "C"</text></allowedValues></itemDefinition>
  <inputData name="Grade" id="grade"><variable name="Grade" typeRef="tGrade"/></inputData>
  <inputData name="Amount" id="amount"><variable name="Amount" typeRef="number"/></inputData>
  <decision name="Base rate" id="base"><description>What the \`Grade\` costs</description><variable name="Base rate" typeRef="number"/>
    <informationRequirement><requiredInput href="#grade"/></informationRequirement>
    <decisionTable hitPolicy="UNIQUE">
      <input label="Grade of the customer"><inputExpression typeRef="tGrade"><text>Grade</text></inputExpression></input>
      <output name="rate" typeRef="number"/>
      <rule><inputEntry><text>"A"</text></inputEntry><outputEntry><text>0.03</text></outputEntry></rule>
      <rule><inputEntry><text>"B"</text></inputEntry><outputEntry><text>0.05</text></outputEntry></rule>
      <rule><inputEntry><text>"C"</text></inputEntry><outputEntry><text>0.09</text></outputEntry></rule>
    </decisionTable>
  </decision>
  <businessKnowledgeModel name="Interest" id="interest"><variable name="Interest"/>
    <encapsulatedLogic><formalParameter name="sum" typeRef="number"/><formalParameter name="rate" typeRef="number"/>
      <literalExpression><text>sum * rate</text></literalExpression></encapsulatedLogic>
  </businessKnowledgeModel>
  <decision name="Offer" id="offer"><variable name="Offer"/>
    <informationRequirement><requiredDecision href="#base"/></informationRequirement>
    <informationRequirement><requiredInput href="#amount"/></informationRequirement>
    <knowledgeRequirement><requiredKnowledge href="#interest"/></knowledgeRequirement>
    <context>
      <contextEntry><variable name="interest"/><literalExpression><text>Interest(Amount, Base rate)</text></literalExpression></contextEntry>
      <contextEntry><variable name="fee"/><decisionTable hitPolicy="FIRST">
        <input><inputExpression typeRef="number"><text>Amount</text></inputExpression></input><output name="fee"/>
        <rule><inputEntry><text>&gt; 1000</text></inputEntry><outputEntry><text>0</text></outputEntry></rule>
        <rule><inputEntry><text>-</text></inputEntry><outputEntry><text>25</text></outputEntry></rule>
      </decisionTable></contextEntry>
    </context>
  </decision>
</definitions>`;

const site = useBrowser(
  createServer({
    decisions: [...loadDmn([{ name: "lending.dmn", text: model }]), shipping],
    liveDocs: true,
    logger: false,
  }),
);

describe("the page of a decision that a model makes", () => {
  it("shows what it requires, with its tables and expressions, and the rows of the result", async () => {
    const { page, faults } = await site.visit("/docs#/Offer");
    await formLoaded(page);
    const card = page.getByRole("region", { name: "Model", exact: true });
    const headings = await card.getByRole("heading", { level: 3 }).allInnerTexts();
    expect(headings.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
      "Offer Decision",
      "Base rate Decision number",
      "Amount Input number",
      "Interest Business knowledge",
      "Grade Input tGrade",
    ]);
    const text = await shown(card);
    expect(text).toContain("Interest(Amount, Base rate)");
    expect(text).toContain("Parameters: sum, rate");
    expect(text).toContain("Exactly one row may match.");

    await page.getByLabel("Amount", { exact: true }).fill("500");
    await page.getByLabel("Grade", { exact: true }).selectOption("B");
    const matched = card.getByRole("row").filter({ hasText: "Matched" });
    await matched.filter({ hasText: '"B"' }).waitFor();
    expect((await matched.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, " ").trim())).toEqual([
      "2 Matched - 25",
      '2 Matched "B" 0.05',
    ]);

    // Rows of several tables have no order among one another.
    const deciding = page.getByRole("region", { name: "What decided" }).getByRole("listitem");
    expect(await deciding.allInnerTexts()).toHaveLength(2);

    const values = card.getByRole("region", { name: /^Value of / });
    const shownValues = await values.evaluateAll((regions) =>
      regions.map((region) => [region.getAttribute("aria-label"), JSON.parse(region.textContent ?? "")]),
    );
    expect(shownValues).toEqual([
      ["Value of Offer", { interest: 25, fee: 25 }],
      ["Value of Base rate", 0.05],
      ["Value of Amount", 500],
      ["Value of Grade", "B"],
    ]);

    await card.getByRole("button", { name: "Base rate" }).click();
    const focused = await page.evaluate("document.activeElement.textContent");
    expect(focused).toContain("Base rate");
    expect(await problems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("has room on a phone, in dark colours", async () => {
    const { page, faults } = await site.visit("/docs#/Offer", {
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
    });
    await formLoaded(page);
    await page.getByRole("heading", { name: "Interest" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await problems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("is listed as a model, and a table with its rows; backticks of a description are code", async () => {
    const { page } = await site.visit("/docs");
    const card = (name: string) =>
      page.locator(".decision-card").filter({ has: page.getByRole("link", { name, exact: true }) });
    expect(await shown(card("Offer").locator(".card-facts"))).toBe("DMN model");
    expect(await shown(card("shipping-fee").locator(".card-facts"))).toBe("7 rows");
    expect(await shown(card("Base-rate").locator(".list-description"))).toBe("What the Grade costs");
    await page.getByRole("link", { name: "Base-rate" }).click();
    expect(await shown(page.locator(".meta"))).toMatch(/Decided by\s+DMN model/);
    expect(await shown(page.locator("[aria-current=page] .list-description"))).toBe("What the Grade costs");
    await page.goto(`${site.origin}/docs#/shipping-fee`);
    await expect.poll(() => shown(page.locator(".meta"))).toMatch(/Decided by\s+7 rows$/m);
  });

  it("loads nothing of it for other decisions", async () => {
    const { page, requests } = await site.visit("/docs#/shipping-fee");
    await formLoaded(page);
    await page.getByText("Decides", { exact: true }).first().waitFor();
    expect(requests.filter((url) => /model-card/.test(url))).toEqual([]);
  });
});
