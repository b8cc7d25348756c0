import { createServer } from "@decern/server";
import { expect, it } from "vitest";
import { serviceOptions } from "../../src/service-options.js";
import { settings } from "../support/settings.js";
import { violations } from "./axe.js";
import { useBrowser } from "./browser.js";

const options = { ...serviceOptions(settings), logger: false };
const site = useBrowser(createServer(options));
const quiet = useBrowser(createServer({ ...options, explain: undefined }));

const flips = { name: "What would change it" };

it("says what would change the answer, and does it", async () => {
  const { page, faults } = await site.visit("/docs#/loan-approval/versions/1.2.0");
  const score = page.getByLabel("Credit score", { exact: true });
  await score.fill("580");
  await page.getByRole("button", { name: "Evaluate" }).click();
  const panel = page.getByRole("region", flips);
  const sentence = panel.getByRole("listitem").filter({ hasText: /credit score/i });
  await expect
    .poll(() => sentence.innerText())
    .toMatch(/With Credit score \d+ instead of 580, \S+ decides\./);
  const [, to = "", rule = ""] =
    /score (\d+) instead of 580, (\S+) decides/.exec(await sentence.innerText()) ?? [];

  // The slider has a band for each rule, and words beside the colours.
  const bands = page.locator(".bands").filter({ hasText: rule });
  expect(await bands.locator("rect").count()).toBeGreaterThan(1);
  expect(await bands.innerText()).toContain(`${to} to `);
  expect(await violations(page)).toEqual([]);

  await sentence.getByRole("button", { name: /Try it/ }).click();
  await expect.poll(() => score.inputValue()).toBe(to);
  await page.getByRole("button", { name: "Evaluate" }).click();
  const matched = page
    .getByRole("region", { name: "Rules, in order" })
    .getByRole("listitem")
    .filter({ hasText: /Matched/ });
  await expect.poll(() => matched.allInnerTexts()).toEqual([expect.stringContaining(rule)]);
  expect(faults).toEqual([]);
});

it("says of a rule that did not match which value kept it from that", async () => {
  const { page, faults } = await site.visit("/docs#/loan-approval/versions/1.2.0");
  await page.getByLabel("Credit score", { exact: true }).fill("700");
  await page.getByRole("button", { name: "Evaluate" }).click();
  const missed = page
    .getByRole("region", { name: "Rules, in order" })
    .getByRole("listitem")
    .filter({ has: page.getByText("score-too-low", { exact: true }) });
  await missed.getByText("With Credit score 619 instead of 700, it would decide.").waitFor();
  expect(await missed.innerText()).toContain("Not matched");
  expect(faults).toEqual([]);
});

it("says nothing where the service explains nothing", async () => {
  const { page, requests } = await quiet.visit("/docs#/loan-approval/versions/1.2.0");
  await page.getByRole("button", { name: "Evaluate" }).click();
  await page.getByRole("region", { name: "Rules, in order" }).getByText("Matched", { exact: true }).waitFor();
  expect(await page.getByRole("region", flips).count()).toBe(0);
  expect(requests.filter((url) => url.endsWith("/explain"))).toEqual([]);
});
