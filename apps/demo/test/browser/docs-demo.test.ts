import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { serviceOptions } from "../../src/service-options.js";
import { settings } from "../support/settings.js";
import { violations } from "./axe.js";
import { example as chip, shown, useBrowser, type Visit } from "./browser.js";

const site = useBrowser(createServer({ ...serviceOptions(settings), logger: false }));

/** The page of one decision, with an example chosen. */
async function openExample(path: string, example: string): Promise<Visit> {
  const opened = await site.visit(path);
  await chip(opened.page, example).click();
  return opened;
}

/** Evaluates, and waits until the page shows that this rule matched. */
async function expectRule(page: Page, rule: string): Promise<void> {
  await page.getByRole("button", { name: "Evaluate" }).click();
  const ladder = page.getByRole("region", { name: "Rules, in order" });
  await ladder
    .getByRole("listitem")
    .filter({ hasText: /Matched/ })
    .getByText(rule, { exact: true })
    .waitFor();
}

describe("the demo's instalment plan", () => {
  it("shows what it asked of the two decisions that it uses", async () => {
    const { page, faults } = await openExample("/docs#/instalment-plan", "A new customer, buying abroad");
    await expectRule(page, "confirm-card");
    const used = page.getByRole("region", { name: "Decisions used" });
    await used.waitFor();
    expect(await used.locator("summary").allInnerTexts()).toEqual([
      expect.stringMatching(/^transaction-risk\s+2\.0\.1\s+OK$/),
      expect.stringMatching(/^loan-approval\s+1\.2\.0\s+OK$/),
    ]);
    const code = (name: string) => page.getByRole("region", { name, exact: true });
    expect(JSON.parse(await shown(code("Result of 1 transaction-risk")))).toMatchObject({
      verdict: "challenge",
    });
    expect(JSON.parse(await shown(code("Input of 2 loan-approval")))).toMatchObject({
      amount: 1_000,
      termMonths: 12,
      country: "DE",
    });
    expect(await violations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("does not ask for credit once the card is declined", async () => {
    const { page } = await openExample("/docs#/instalment-plan", "A stolen card");
    await expectRule(page, "card-declined");
    const used = page.getByRole("region", { name: "Decisions used" });
    await used.waitFor();
    expect(await used.locator("summary").allInnerTexts()).toEqual([
      expect.stringMatching(/^transaction-risk\b/),
    ]);
  });
});

describe("the demo's versions of loan-approval", () => {
  it("has worked examples of version 2.0.0, which is evaluated as it is chosen", async () => {
    const { page, faults } = await openExample("/docs#/loan-approval/versions/2.0.0", "More than we lend");
    expect(await page.getByRole("combobox", { name: "Version" }).inputValue()).toBe("2.0.0");
    await expectRule(page, "amount-too-high");
    expect(faults).toEqual([]);
  });

  it("offers the profile that a tenant has", async () => {
    const { page } = await openExample("/docs#/loan-approval", "Standard terms");
    await expectRule(page, "standard");
    await page.getByRole("combobox", { name: "Profile" }).selectOption("strict");
    await expectRule(page, "score-too-low");
  });
});
