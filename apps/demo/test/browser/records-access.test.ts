import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { problems } from "./browser.js";
import { giveKey, shopKey, useRecords } from "./records-site.js";

const { site, log, apply, open } = useRecords();

let declined = "";
let erased = "";

beforeAll(async () => {
  for (let minute = 0; minute < 55; minute += 1) {
    const at = `2026-01-05T10:${String(minute).padStart(2, "0")}:00.000Z`;
    await apply({ at, version: "1.0.0", body: { input: { amount: minute } } });
  }
  erased = await apply({
    at: "2026-03-02T09:00:00.000Z",
    body: { input: { amount: 5000, lateBills: 0, applicant: { id: "p-99" } } },
  });
  await log.erase({ subject: "p-99" });
  await apply({ at: "2026-03-03T12:00:00.000Z", body: { input: { amount: "much" } } });
  declined = await apply({
    at: "2026-03-03T14:05:09.123Z",
    requestId: `application-${"4711-".repeat(20)}`,
    body: { input: { amount: 5000, lateBills: 4, applicant: { id: "p-17", name: "Ada" } } },
  });
});

describe.each([
  { name: "desktop", viewport: { width: 1280, height: 900 } },
  { name: "phone", viewport: { width: 360, height: 780 } },
])("at $name width", ({ viewport }) => {
  describe("in light and dark", () => {
    it("has no axe violations in any state, no horizontal scrolling, and requests nothing elsewhere", async () => {
      const { page, requests, faults } = await site.visit("/records", { viewport });
      const check = async (state: string) => expect(await problems(page), state).toEqual([]);
      const go = (fragment: string): Promise<unknown> => page.goto(`${site.origin}/records${fragment}`);
      await page.getByRole("heading", { name: "This service requires an API key" }).waitFor();
      await check("without a key");
      await page.getByLabel("API key").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "The API key was refused" }).waitFor();
      await check("a refused key");
      await page.reload();
      await giveKey(page, shopKey);
      await page.getByRole("heading", { name: "Access denied" }).waitFor();
      await check("a key that may not look at records");
      await page.reload();
      await giveKey(page);
      await page.getByRole("button", { name: "Load more" }).waitFor();
      await check("the newest records");
      const summary = page.locator(".filters summary");
      if (viewport.width < 700) await summary.click();
      await page.getByLabel("Caller", { exact: true }).fill("nobody");
      await check("filters");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.getByRole("heading", { name: "No records" }).waitFor();
      await check("no records");
      await go(`#/${declined}`);
      await page.getByRole("button", { name: "Copy as test" }).waitFor();
      await page.getByText("Hashes", { exact: true }).click();
      await check("a record");
      await page.getByRole("combobox", { name: "Version" }).selectOption("1.0.0");
      await page.getByRole("combobox", { name: "Profile" }).selectOption("Edited");
      await page.getByRole("button", { name: "Evaluate again" }).click();
      await page.locator(".finding").waitFor();
      await check("evaluated again");
      await page.getByLabel("Profile as JSON").fill("{");
      await page.getByText(/^Not valid JSON/).waitFor();
      await check("a mistake in a profile");
      await go(`#/${erased}`);
      await page.getByText("Data erased.").waitFor();
      await check("an erased record");
      await go("#/?status=INVALID_INPUT");
      await page.getByRole("link", { name: "2026-03-03 12:00:00" }).click();
      await page.locator(".issues").waitFor();
      await check("an invalid input");
      await go("#/nothing");
      await page.getByRole("heading", { name: "No such record" }).waitFor();
      await check("no such record");
      await page.route("**/records/search", (route) => route.abort());
      await go("#/?rule=fine");
      await page.getByRole("heading", { name: "Couldn't search" }).waitFor();
      await check("a failed search");
      for (const url of requests)
        expect(new URL(url).origin === site.origin || url.startsWith("data:"), url).toBe(true);
      expect(faults).toEqual([]);
    }, 600_000);
  });
});

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = page.locator(":focus");
  const wanted = focused.filter({ hasText: name }).or(focused.and(page.getByLabel(name, { exact: true })));
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await wanted.count()) > 0) return;
  }
  throw new Error(`no way by Tab to ${name}`);
}

it("works with the keyboard alone", async () => {
  const { page, faults } = await site.visit("/records");
  await page.getByRole("heading", { name: "This service requires an API key" }).waitFor();
  await tabTo(page, "API key");
  await page.keyboard.type("k3y-of-the-auditor");
  await page.keyboard.press("Enter");
  await page.locator("#main:focus").waitFor();
  await tabTo(page, "Record id, request id or person");
  await page.keyboard.type("p-17");
  await page.keyboard.press("Enter");
  await page.getByText("1 record, found by person").waitFor();
  await tabTo(page, "2026-03-03 14:05:09");
  await page.keyboard.press("Enter");
  await page.locator("#main:focus").waitFor();
  await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();
  await tabTo(page, "Hashes");
  await page.keyboard.press("Enter");
  await page.getByText("Payload hash", { exact: true }).waitFor();
  await tabTo(page, "Evaluate again");
  await page.keyboard.press("Enter");
  await page.locator(".finding").waitFor();
  await page.goBack();
  await expect.poll(() => page.locator("a:focus time").allInnerTexts()).toEqual(["2026-03-03 14:05:09"]);
  expect(faults).toEqual([]);
});

it.each(["search", "record"])("shows the focus on every focusable element of the %s", async (view) => {
  const { page } = await open(view === "search" ? "#/?q=p-17" : `#/${declined}`);
  await page
    .getByText(view === "search" ? "1 record, found by person" : "Copy as test", { exact: true })
    .waitFor();
  await page.evaluate("document.activeElement.blur()");
  let stops = 0;
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate<{ key: string; visible: boolean } | null>(`(() => {
      const node = document.activeElement;
      if (node === null || node === document.body) return null;
      const drawn = (element, part) => element !== null && getComputedStyle(element, part).outlineStyle !== "none";
      return { key: node.outerHTML.slice(0, 120), visible: drawn(node) || drawn(node, "::after") };
    })()`);
    if (found === null) break;
    expect(found.visible, found.key).toBe(true);
    stops += 1;
  }
  expect(stops).toBeGreaterThan(12);
});

it("forbids everything that does not come from the service itself", async () => {
  const reply = await fetch(`${site.origin}/records`);
  const docs = await fetch(`${site.origin}/docs`);
  const policy = reply.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  for (const name of [
    "content-security-policy",
    "referrer-policy",
    "x-content-type-options",
    "x-frame-options",
  ]) {
    expect(reply.headers.get(name), name).toBe(docs.headers.get(name));
  }
  expect(await reply.text()).not.toMatch(/<style|style="|<script(?![^>]*\ssrc=)|\son\w+=/);
});
