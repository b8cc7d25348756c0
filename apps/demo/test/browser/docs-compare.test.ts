import { createServer } from "@decern/server";
import { expect, it } from "vitest";
import { serviceOptions } from "../../src/service-options.js";
import { settings } from "../support/settings.js";
import { violations } from "./axe.js";
import { openTab, useBrowser } from "./browser.js";

const site = useBrowser(createServer({ ...serviceOptions(settings), logger: false }));

const path = "/docs#/loan-approval/versions/1.2.0";

it("puts two inputs side by side, then another version", async () => {
  const { page, faults } = await site.visit(path);
  const score = page.getByLabel("Credit score", { exact: true });
  const evaluate = page.getByRole("button", { name: "Evaluate" });
  await evaluate.click();
  await openTab(page, "Compare");
  await page.getByRole("button", { name: "Pin this outcome" }).click();
  const compare = page.getByRole("region", { name: "Compare" });
  await compare.getByText("No difference.").waitFor();
  const was = await score.inputValue();
  await score.fill("580");
  await evaluate.click();
  const row = (name: string) => compare.getByRole("row").filter({ hasText: name });
  await expect
    .poll(() => row("Input Credit score").getByRole("cell").allInnerTexts())
    .toEqual([was, "580", "Changed"]);
  const [before, now] = await row("Rule").first().getByRole("cell").allInnerTexts();
  expect(now).not.toBe(before);
  expect(await violations(page)).toEqual([]);

  await compare.getByLabel("Compare with").selectOption("Version 2.0.0");
  await expect
    .poll(() => row("Version").getByRole("cell").allInnerTexts())
    .toEqual(["2.0.0", "1.2.0", "Changed"]);
  expect(await row("Input Credit score").count()).toBe(0);

  // What is pinned stays while another version is shown.
  await page.getByRole("combobox", { name: "Version", exact: true }).selectOption("2.0.0");
  await evaluate.click();
  await compare.getByLabel("Compare with").selectOption("The pinned outcome");
  await expect
    .poll(() => row("Version").getByRole("cell").allInnerTexts())
    .toEqual(["1.2.0", "2.0.0", "Changed"]);
  expect(faults).toEqual([]);
});

it("keeps the draft and the history through a reload, in this tab only, and takes Clear back", async () => {
  const { page } = await site.visit(path);
  const score = page.getByLabel("Credit score", { exact: true });
  const first = await score.inputValue();
  await score.fill("581");
  await page.getByRole("button", { name: "Evaluate" }).click();
  await openTab(page, "History");
  const history = page.getByRole("region", { name: "History" });
  await history.getByRole("listitem").first().waitFor();
  await score.fill("582");
  await page.reload();
  await openTab(page, "History");
  await expect.poll(() => score.inputValue()).toBe("582");
  await history.getByRole("listitem").getByRole("button").first().click();
  await expect.poll(() => score.inputValue()).toBe("581");
  expect(await violations(page)).toEqual([]);
  const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await page.evaluate(overflow)).toBe(0);

  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect.poll(() => score.inputValue()).toBe("");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => score.inputValue()).toBe("581");

  // Another decision and back.
  await page.getByRole("link", { name: /news2/ }).click();
  await page.getByRole("heading", { name: "news2" }).waitFor();
  await page.goBack();
  await expect.poll(() => score.inputValue()).toBe("581");
  await page.context().close();
  const other = await site.visit(path);
  await expect.poll(() => other.page.getByLabel("Credit score", { exact: true }).inputValue()).toBe(first);
  await other.page.context().close();
});
