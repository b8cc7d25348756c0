import { defineDecision } from "@decern/core";
import { explain } from "@decern/explain";
import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { choose, formLoaded, problems, shown, useBrowser } from "./browser.js";

const card = z.object({ type: z.literal("card"), number: z.string().min(12), note: z.string().optional() });
const bank = z.object({ type: z.literal("bank"), iban: z.string(), note: z.string().optional() });
const payment = { type: "card", number: "4111111111111111", note: "hello" };

const unions = decision(
  "unions",
  z.object({ payment: z.union([card, bank]), code: z.union([z.string(), z.number()]) }),
  {
    payment,
    code: "x",
  },
);
const maps = decision("maps", z.object({ extra: z.object({ vip: z.boolean() }).catchall(z.number()) }), {
  extra: { vip: true, bonus: 3 },
});
const person = z.object({ name: z.string(), points: z.number(), tier: z.enum(["gold", "tin"]) });
const crowd = decision("crowd", z.object({ people: z.array(person) }), {
  people: Array.from({ length: 500 }, (_, index) => ({ name: `P${index + 1}`, points: index, tier: "gold" })),
});
const codes = Array.from({ length: 300 }, (_, index) => `code-${index + 1}`);
const many = decision(
  "many",
  z.object({ code: z.enum(codes), rest: z.string().default("preset").optional() }),
  {
    code: "code-7",
  },
);
const long = decision("long", z.object({ text: z.string() }), { text: "a" }, "x".repeat(200));

function decision(id: string, inputSchema: z.ZodType, input: unknown, name = "Example") {
  return defineDecision({
    id,
    version: "1.0.0",
    meta: { examples: [{ name, input }] },
    inputSchema,
    outputSchema: z.object({ ok: z.boolean() }),
    profileSchema: z.object({}),
    rules: [{ id: "yes", when: () => true, emit: () => ({ ok: true }) }],
  });
}

const site = useBrowser(
  createServer({ decisions: [unions, maps, crowd, many, long], explain: explain(), logger: false }),
);

async function open(id: string, width = 1440): Promise<Page> {
  const { page, faults } = await site.visit(`/docs#/${id}`, { viewport: { width, height: 900 } });
  page.on("close", () => expect(faults).toEqual([]));
  await formLoaded(page);
  return page;
}

async function asJson(page: Page): Promise<unknown> {
  const input = page.getByRole("region", { name: "Input", exact: true });
  await choose(input, "JSON");
  const value: unknown = JSON.parse(await page.getByLabel("Input as JSON").inputValue());
  await choose(input, "Form");
  return value;
}

it("switches between the kinds of a union, keeps what both have, and shows each in the schema", async () => {
  const page = await open("unions");
  const kind = page.getByRole("group", { name: "Kind of payment" });
  expect(await kind.getByRole("radio", { name: "card" }).isChecked()).toBe(true);
  await choose(kind, "bank");
  await page.getByRole("textbox", { name: "iban" }).fill("GB33");
  await expect.poll(() => asJson(page)).toEqual({ payment: { type: "bank", iban: "GB33" }, code: "x" });
  await choose(page.getByRole("group", { name: "Kind of code" }), "number");
  await page.getByRole("textbox", { name: "number", exact: true }).fill("7");
  await expect.poll(() => asJson(page)).toMatchObject({ code: 7 });
  const rows = page.getByRole("table", { name: "Input schema" }).getByRole("rowheader");
  expect(await rows.allInnerTexts()).toContainEqual(expect.stringMatching(/payment: card\.\s*number/));
  expect(await problems(page)).toEqual([]);
});

it("adds, renames and removes entries of a map", async () => {
  const page = await open("maps");
  await page.getByRole("button", { name: "Add an entry to extra" }).click();
  await page.locator("input:focus").fill("malus");
  await page.keyboard.press("Tab");
  await page.locator("[id='input/extra/malus']").fill("-2");
  await expect.poll(() => asJson(page)).toEqual({ extra: { vip: true, bonus: 3, malus: -2 } });
  // No two entries have one name.
  const name = page.getByRole("textbox", { name: "Name of entry 2 of extra" });
  await name.fill("bonus");
  await name.blur();
  await expect.poll(() => name.inputValue()).toBe("malus");
  await page.getByRole("button", { name: "Remove bonus" }).click();
  await expect.poll(() => asJson(page)).toEqual({ extra: { vip: true, malus: -2 } });
  expect(await problems(page)).toEqual([]);
});

it("shows a long list as rows of which one is open, filters it, and takes a table", async () => {
  const page = await open("crowd");
  const rows = page.locator(".item-row");
  expect(await rows.count()).toBe(500);
  expect(await rows.first().innerText()).toMatch(/1\s+P1 · 0 · gold/);
  await rows.nth(2).press("Enter");
  await page.getByRole("textbox", { name: "points" }).fill("9");
  expect(await page.getByRole("textbox", { name: "points" }).count()).toBe(1);
  await expect.poll(() => rows.nth(2).innerText()).toMatch(/P3 · 9 · gold/);
  await page.getByRole("searchbox", { name: "Filter people" }).fill("P499");
  await page.getByText("1 of 500", { exact: true }).waitFor();
  expect(await problems(page)).toEqual([]);
  await page.getByRole("searchbox", { name: "Filter people" }).fill("");

  await page.getByRole("button", { name: "Paste a list" }).click();
  const paste = page.getByLabel("people as JSON or CSV");
  await paste.fill("name,age\nAda,7");
  await page.getByRole("button", { name: "Replace people" }).click();
  await page.getByText('has a column "age"; the fields are name, points, tier').waitFor();
  await paste.fill("name;points;tier\nAda;7;gold\nBob;8.5;tin");
  await page.getByRole("button", { name: "Replace people" }).click();
  await expect
    .poll(() => asJson(page))
    .toEqual({
      people: [
        { name: "Ada", points: 7, tier: "gold" },
        { name: "Bob", points: 8.5, tier: "tin" },
      ],
    });
});

it("draws a call with 500 objects only where somebody looks at it", async () => {
  const page = await open("crowd");
  await page.getByRole("heading", { name: "Outcome" }).waitFor();
  await page.getByText("Live preview", { exact: false }).first().waitFor();
  expect(await page.locator(".result-column *").count()).toBeLessThan(200);
  const code = page.getByLabel("curl command");
  expect(await code.count()).toBe(0);
  await page.getByRole("tab", { name: "Call it" }).click();
  expect(await code.innerText()).toContain('"P500"');
  await page.getByRole("tab", { name: "Why" }).click();
  await page.locator(".item-row").first().press("Enter");
  await page.getByRole("textbox", { name: "name", exact: true }).fill("Ada");
  await page.getByText("Updating…").first().waitFor({ state: "hidden" });
  // What is on paper is of the same call.
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.getByLabel("Input that was sent").innerText()).toContain('"Ada"');
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("tab", { name: "Call it" }).click();
  await expect.poll(() => code.innerText()).toContain('"Ada"');
});

it("leads from an error to the item that has it", async () => {
  const page = await open("crowd");
  await page.locator(".item-row").nth(44).press("Enter");
  await page.getByRole("textbox", { name: "points" }).fill("many");
  await page.getByRole("textbox", { name: "points" }).blur();
  await page.locator(".item-row.wrong").getByText("needs a change").waitFor();
});

it("searches a select from 20 values on, and sends nothing that is not in it", async () => {
  const page = await open("many");
  const code = page.getByRole("combobox", { name: "code" });
  expect(await code.inputValue()).toBe("code-7");
  await code.fill("code-3");
  await code.blur();
  await expect.poll(() => asJson(page)).toMatchObject({ code: "code-3" });
  await code.fill("cod");
  await code.blur();
  await page.getByText("must be one of the 300 values").waitFor();
  // What applies while a field is left out.
  expect(await shown(page.getByRole("button", { name: /^rest/ }))).toContain("preset");
  expect(await problems(page)).toEqual([]);
});

it.each([1440, 390])("keeps an example with a name of 200 letters inside a page of %d px", async (width) => {
  const page = await open("long", width);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(width);
  expect(await problems(page)).toEqual([]);
});
