import { defineDecision } from "@decern/core";
import { explain } from "@decern/explain";
import { createServer } from "@decern/server";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { formLoaded, openTab, problems, shown, start, useBrowser } from "./browser.js";

const codes = Array.from({ length: 300 }, (_, index) => `code-${index + 1}`);
const tags = Array.from({ length: 14 }, (_, index) => `a-rather-long-tag-${index + 1}`);
const longRule = "r".repeat(100);
const longText = "x".repeat(300);

/** Ids, values and texts as long as anybody writes them. */
const long = defineDecision({
  id: "a-decision-with-a-name-that-says-everything-about-it-".padEnd(100, "z"),
  version: "1.0.0-prerelease.with.a.very.long.version+build.20261123",
  meta: { tags, examples: [{ name: "Long", input: { text: longText } }] },
  inputSchema: z.object({ text: z.string() }),
  outputSchema: z.object({ text: z.string() }),
  profileSchema: z.object({}),
  rules: [{ id: longRule, when: () => true, emit: ({ text }) => ({ text }) }],
});

const many = defineDecision({
  id: "many",
  version: "1.0.0",
  inputSchema: z.object({ code: z.enum(codes) }),
  outputSchema: z.object({}),
  profileSchema: z.object({}),
  rules: Array.from({ length: 60 }, (_, index) => ({
    id: `rule-${index + 1}`,
    when: () => false,
    emit: () => ({}),
  })),
});

const hebrew = "הלקוח אושר (v2).";
const rightToLeft = defineDecision({
  id: "right-to-left",
  version: "1.0.0",
  description: hebrew,
  meta: { examples: [{ name: "ותיק", input: { name: hebrew } }] },
  inputSchema: z.object({ name: z.string().meta({ description: hebrew }) }),
  outputSchema: z.object({ note: z.string() }),
  profileSchema: z.object({}),
  rules: [{ id: "ok", when: () => true, emit: () => ({ note: hebrew }), explain: hebrew }],
});

const site = useBrowser(
  createServer({ decisions: [long, many, rightToLeft], liveDocs: false, explain: explain(), logger: false }),
);

const width = async (locator: Locator) => (await locator.boundingBox())?.width ?? 0;

it.each([
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
])("keeps long names, versions and values inside a $name", async ({ viewport }) => {
  const { page, faults } = await site.visit("/docs", { viewport });
  const card = page.locator(".decision-card").filter({ hasText: long.id });
  await card.waitFor();
  // A long version does not squeeze a long id, nor are all tags listed.
  expect(await width(card.getByRole("heading"))).toBeGreaterThan((await width(card)) * 0.7);
  expect(await card.getByRole("button").count()).toBe(6);
  await card.getByText("8 more", { exact: true }).waitFor();
  expect(await problems(page), "overview").toEqual([]);
  await card.getByRole("link").click();
  await formLoaded(page);
  await page.getByRole("button", { name: "Evaluate" }).click();
  await openTab(page, "History");
  await page.getByRole("region", { name: "History" }).waitFor();
  expect(await problems(page), "outcome").toEqual([]);
  expect(faults).toEqual([]);
});

it("folds what many rules and many values have in common, and unfolds it by the keyboard", async () => {
  const { page } = await site.visit("/docs#/many", { viewport: { width: 1440, height: 900 } });
  const ladder = page.getByRole("region", { name: "Rules, in order" });
  const line = ladder.getByText("54 rules follow", { exact: true });
  await line.waitFor();
  expect(await ladder.getByText("rule-60", { exact: true }).isVisible()).toBe(false);
  await line.press("Enter");
  await ladder.getByText("rule-60", { exact: true }).waitFor();

  const table = page.getByRole("table", { name: "Input schema" });
  const shownCodes = table.locator(".values code:visible");
  expect(await shownCodes.count()).toBe(12);
  await table.getByText("288 more values").press("Enter");
  await expect.poll(() => shownCodes.count()).toBe(300);
  expect(await problems(page)).toEqual([]);
});

it("orders the words and the full stop of right-to-left text as it is read", async () => {
  const { page } = await site.visit("/docs", { viewport: { width: 1440, height: 900 } });
  const card = page.locator(".decision-card").filter({ hasText: "right-to-left" });
  expect(await readsLeftwards(card.locator(".list-description")), "card").toBe(true);
  await card.getByRole("link").click();
  await formLoaded(page);
  await page.getByRole("button", { name: "Evaluate" }).click();
  await page.getByText("HTTP 200").waitFor();
  for (const [where, text] of [
    ["list", page.locator(".list .list-description")],
    ["description", page.locator(".lead")],
    ["field", page.locator(".field-description").filter({ hasText: hebrew })],
    ["reason", page.locator(".reason")],
    ["rule", page.locator(".rung-body p")],
    ["output", page.locator(".outcome .data dd").filter({ hasText: hebrew })],
    ["schema", page.getByRole("table", { name: "Input schema" }).getByText(hebrew)],
  ] as const) {
    expect(await readsLeftwards(text.first()), where).toBe(true);
  }
});

it("leaves room for the API key on a phone", async () => {
  const secured = createServer({ decisions: [many], authenticate: () => true, logger: false });
  const { page } = await site.visit(`${await start(secured)}/docs`, {
    viewport: { width: 390, height: 844 },
  });
  const key = page.getByRole("banner").getByLabel("API key");
  // All of its placeholder: the icon and its padding take 40 px.
  await expect.poll(() => width(key)).toBeGreaterThan(100);
  expect(await problems(page)).toEqual([]);
  await page.context().close();
  await secured.close();
});

it("says that there are no decisions, without a search", async () => {
  const empty = createServer({ decisions: [], logger: false });
  const { page } = await site.visit(`${await start(empty)}/docs`);
  const heading = page.getByRole("heading", { name: "This service has no decisions" });
  expect(await shown(heading)).not.toBe("");
  expect(await page.getByRole("searchbox").count()).toBe(0);
  expect(await page.getByText("Find a decision").count()).toBe(0);
  expect(await problems(page)).toEqual([]);
  await page.context().close();
  await empty.close();
});

/** Whether the last character of a text, its full stop, lies left of its first. */
function readsLeftwards(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    const node = element.ownerDocument.createTreeWalker(element, 4).nextNode();
    const length = node?.textContent?.length ?? 0;
    if (node === null || length === 0) throw new Error("no text");
    const left = (offset: number) => {
      range.setStart(node, offset);
      range.setEnd(node, offset + 1);
      return range.getBoundingClientRect().left;
    };
    return left(length - 1) < left(0);
  });
}
