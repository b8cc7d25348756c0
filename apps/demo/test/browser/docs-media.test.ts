import { explain } from "@decern/explain";
import { createServer } from "@decern/server";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { violations } from "./axe.js";
import { example, openTab, shown, useBrowser } from "./browser.js";
import { visits } from "./visits.js";

const site = useBrowser(
  createServer({
    decisions: [...defaultDecisions, visits],
    profiles: { ...profiles, visits: { closedOn: "2026-12-25" } },
    explain: explain(),
    logger: false,
  }),
);

const verdict = (page: Page) => page.locator(".outcome .decided > span");
const phone = { viewport: { width: 390, height: 844 } };

it("folds long runs of rules into a line that unfolds", async () => {
  const { page, faults } = await site.visit("/docs#/visits");
  await expect.poll(() => shown(verdict(page))).toBe("open-day decided");
  const ladder = page.getByRole("region", { name: "Rules, in order" });
  const misses = ladder.getByText("12 rules did not match");
  const late = ladder.getByText("8 rules were not reached");
  const reason = ladder.getByText("Never, for reason 7", { exact: true });
  const visible = {
    misses: await misses.isVisible(),
    late: await late.isVisible(),
    reason: await reason.isVisible(),
  };
  expect(visible).toEqual({ misses: true, late: true, reason: false });
  // The rule that matched is in sight without scrolling.
  const hit = await ladder.getByText("open-day", { exact: true }).boundingBox();
  expect(hit?.y).toBeLessThan(720);
  await misses.press("Enter");
  await reason.waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
  }
  // What is unfolded stays so while the answer changes.
  await page.getByRole("textbox", { name: "Day", exact: true }).fill("2026-12-25");
  await expect.poll(() => shown(verdict(page))).toBe("late-1 decided");
  expect(await reason.isVisible()).toBe(true);
  expect(faults).toEqual([]);
});

it("prints an answer, its reasons and its input on one page, dark on white, without controls", async () => {
  const { page } = await site.visit("/docs#/loan-approval", { colorScheme: "dark" });
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
  await page.getByRole("region", { name: "What would change it" }).waitFor();
  // Somebody who chose dark prints dark on white all the same.
  await page.evaluate(`document.documentElement.dataset.theme = "dark"`);
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.emulateMedia({ media: "print" });
  for (const control of await page.locator("button, input, select, textarea, nav a").all()) {
    expect(await control.isVisible(), await control.innerHTML()).toBe(false);
  }
  const paper = await shown(page.locator("body"));
  for (const text of [
    "prime decided",
    "Score 765 is 740 or more",
    "near-prime",
    '"creditScore": 765',
    "version 1.2.0",
  ])
    expect(paper).toContain(text);
  expect(await style(page.locator(".reason"), ["color"])).toBe("rgb(27, 28, 31)");
});

it("tells states apart without backgrounds where the system forces its colours", async () => {
  const { page } = await site.visit("/docs#/loan-approval", { forcedColors: "active" });
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
  const lines = ["outline", "border-top", "border-left", "text-decoration-line"] as const;
  const pairs: readonly [what: string, on: Locator, off: Locator][] = [
    ["example", page.locator(".chip[aria-pressed=true]"), page.locator(".chip[aria-pressed=false]")],
    ["decision", page.locator(".list a[aria-current]"), page.locator(".list a:not([aria-current])")],
    ["segment", page.locator(".choice .chosen span"), page.locator(".choice label:not(.chosen) span")],
    ["rule", page.locator(".rungs > .hit"), page.locator(".rungs > .miss")],
  ];
  for (const [what, on, off] of pairs) {
    expect(await style(on.first(), lines), what).not.toBe(await style(off.first(), lines));
  }
  // The focus differs from being chosen, too.
  const chosen = page.locator(".chip[aria-pressed=true]");
  const unfocused = await style(chosen, lines);
  await chosen.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  expect(await style(chosen, lines)).not.toBe(unfocused);
  // A tone of the headline is more than a colour.
  const fine = await style(page.locator(".headline"), lines);
  await example(page, "Invalid fields").click();
  await expect.poll(() => shown(verdict(page))).toBe("The input is not valid");
  expect(await style(page.locator(".headline"), lines)).not.toBe(fine);
  const right = page.getByRole("textbox", { name: "Age", exact: true });
  expect(await style(page.getByRole("textbox", { name: "Country" }), lines)).not.toBe(
    await style(right, lines),
  );
  await page.goto(`${site.origin}/docs#/instalment-plan`);
  const knob = page.locator(".switch input").first();
  await knob.waitFor();
  expect(await knobColour(knob)).not.toBe(await style(knob, ["background-color"]));
  expect(await violations(page)).toEqual([]);
});

it("has targets of 44 px on a phone, and does not scroll sideways", async () => {
  const { page } = await site.visit("/docs#/visits", { ...phone, hasTouch: true });
  await expect.poll(() => shown(verdict(page))).toBe("open-day decided");
  await page.locator(".call .fold summary").click();
  await page.getByText("Override profile").click();
  await openTab(page, "Compare");
  await page.getByRole("button", { name: "Pin this outcome" }).click();
  expect(await page.evaluate(tooSmall)).toEqual([]);
  await openTab(page, "History");
  await page.getByRole("region", { name: "History" }).waitFor();
  expect(await page.evaluate(tooSmall)).toEqual([]);
  await page.goto(`${site.origin}/docs#/loan-approval`);
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
  await page.getByRole("region", { name: "What would change it" }).waitFor();
  expect(await page.evaluate(tooSmall)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
});

/** What can be pressed and is lower than a finger needs. A label counts as part of what it labels. */
const tooSmall = `[...document.querySelectorAll("button, a[href], select, summary, input, textarea")].flatMap((element) => {
  if (!element.checkVisibility() || element.matches(".skip, .picker, .switch input")) return [];
  const { height } = (element.closest("label") ?? element).getBoundingClientRect();
  return height < 44 ? [height + " " + element.outerHTML.slice(0, 100)] : [];
})`;

function style(element: Locator, properties: readonly string[]): Promise<string> {
  return element.evaluate((node, names) => {
    const computed = node.ownerDocument.defaultView?.getComputedStyle(node);
    return names.map((name) => computed?.getPropertyValue(name)).join("; ");
  }, properties);
}

function knobColour(element: Locator): Promise<string | undefined> {
  return element.evaluate(
    (node) => node.ownerDocument.defaultView?.getComputedStyle(node, "::before").backgroundColor,
  );
}
