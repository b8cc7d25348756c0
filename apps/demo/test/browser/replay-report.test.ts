import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { formatReport } from "@decern/replay";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileReport, hostileTexts } from "../../../../packages/replay/test/support/hostile.js";
import { sampled, typical } from "../../../../packages/replay/test/support/reports.js";
import { launch, problems, shown, type Visit, visit } from "./browser.js";

const folder = mkdtempSync(resolve(tmpdir(), "decern-report-"));
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

const reports = { typical, sampled, hostile: hostileReport(hostileTexts.join(" ")) };

/** Opens the file of a report, with everything unfolded. */
async function opened(name: keyof typeof reports, width: number): Promise<Visit> {
  const file = resolve(folder, `${name}.html`);
  writeFileSync(file, formatReport(reports[name], "html"));
  const seen = await visit(browser, pathToFileURL(file).href, {
    viewport: { width, height: 900 },
    // axe needs to run on the page; the page itself runs nothing.
    bypassCSP: true,
  });
  for (const part of await seen.page.locator("details").all()) {
    await part.evaluate((element) => element.setAttribute("open", ""));
  }
  return seen;
}

describe.each(["typical", "sampled", "hostile"] as const)("the page of the %s report", (name) => {
  it.each([390, 1280])(
    "is accessible, and not wider than a screen of %i pixels, in light and dark",
    async (width) => {
      const { page, faults } = await opened(name, width);
      expect(await problems(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );
});

it("shows how many answers change and from what to what without scrolling", async () => {
  const { page } = await opened("typical", 1280);
  for (const text of ["1,216 of 50,000 results changed, and 6 failed", "Beyond the allowance", "1,004"]) {
    const box = await page.getByText(text, { exact: true }).first().boundingBox();
    expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0), text).toBeLessThan(900);
  }
  await page.context().close();
});

it("requests nothing, runs nothing and keeps to its own policy", async () => {
  const file = resolve(folder, "policy.html");
  writeFileSync(file, formatReport(reports.hostile, "html"));
  const { page, requests, faults } = await visit(browser, pathToFileURL(file).href);
  expect(await shown(page.locator("h1"))).toBe("2 of 4 results changed, and 1 failed");
  // Without its style, the page would have the browser's serifs.
  expect(await page.evaluate("getComputedStyle(document.body).marginTop")).toBe("0px");
  expect(requests).toEqual([pathToFileURL(file).href]);
  expect(faults).toEqual([]);
  await page.context().close();
});
