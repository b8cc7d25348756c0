import { mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { createServer, type TableDraft } from "@decern/server";
import { readTable } from "@decern/table";
import type { Locator, Page } from "playwright-core";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { formLoaded, problems, shown, useBrowser } from "./browser.js";
import { discount, shipping, tariff } from "./tables.js";

const directory = mkdtempSync(join(tmpdir(), "decern-drafts-"));
const log = decisionLog({ store: ndjsonFiles(directory), build: "4f2c9e1" });
const drafts: (readonly [TableDraft, string | undefined])[] = [];
const server = createServer({
  decisions: [shipping, discount, tariff],
  log,
  liveDocs: true,
  // A request without a key comes from an analyst.
  authenticate: ({ headers }) => ({ caller: headers["x-api-key"] === "shop-key" ? "shop" : "analyst" }),
  records: ({ identity }) => identity?.caller === "analyst",
  docs: {
    publish: (draft, caller) => {
      drafts.push([draft, caller?.caller]);
      return { message: "A colleague reviews it.", url: "https://git.example/pull/7" };
    },
  },
  logger: false,
});
const site = useBrowser(server);
afterAll(async () => {
  await log.close();
  await rm(directory, { recursive: true });
});

function cell(page: Page, row: number, column: number): Locator {
  return page.locator(`.edit-grid [data-row='${row}'] [data-column='${column}']`);
}

/** What is in a row of the draft, as it is shown. */
async function rowText(page: Page, row: number): Promise<readonly string[]> {
  return page.locator(`.edit-grid [data-row='${row}'] .cell-value`).allInnerTexts();
}

async function type(page: Page, row: number, column: number, text: string): Promise<void> {
  await cell(page, row, column).click();
  await page.keyboard.press("F2");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
}

/** Opens a table and a draft of it. */
async function edit(id: string, options = {}) {
  const visit = await site.visit(`/docs#/${id}`, options);
  await formLoaded(visit.page);
  await visit.page.getByRole("button", { name: "Edit a copy" }).click();
  await visit.page.getByText("Every cell can be read.").waitFor();
  return visit;
}

const active = (page: Page) =>
  page.evaluate<string>(
    "[document.activeElement.closest('[data-row]')?.dataset.row, document.activeElement.closest('[data-column]')?.dataset.column].join(' ')",
  );

/** Pastes as a spreadsheet's clipboard would. */
function paste(page: Page, text: string, html = ""): Promise<void> {
  return page.evaluate(
    `(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      if (${JSON.stringify(html)} !== "") clipboardData.setData("text/html", ${JSON.stringify(html)});
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    })()`,
  );
}

it("is edited by keyboard alone, from the table to the published draft", async () => {
  const { page, faults } = await site.visit("/docs#/shipping-fee");
  await formLoaded(page);
  const press = (...keys: readonly string[]) =>
    keys.reduce((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve());
  const tabTo = async (name: string) => {
    for (let steps = 0; steps < 60; steps += 1) {
      const at = await page.evaluate<string>("document.activeElement.textContent.trim()");
      if (at === name) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  await page.locator("#main").focus();
  await page.getByRole("button", { name: "Edit a copy" }).waitFor();
  await tabTo("Edit a copy");
  await press("Enter");
  await page.getByText("Every cell can be read.").waitFor();
  await tabTo("home-light");
  expect(await active(page)).toBe("0 0");

  // What is wrong is said at the cell, as it is typed.
  await press("ArrowRight", "ArrowRight", "ArrowDown", "F2");
  const field = page.getByRole("textbox", { name: "Weight (kg), row home-medium" });
  expect(await field.inputValue()).toBe("(2..10]");
  await press("Control+A");
  await page.keyboard.type("(2..x]");
  await page.locator("textarea[aria-invalid='true']").waitFor();
  const described = await field.getAttribute("aria-describedby");
  expect(await page.locator(`[id='${described}']`).innerText()).toBe(
    '"x" is not a number, and the column holds numbers',
  );
  await press("Escape");
  expect(await active(page)).toBe("1 2");
  expect((await rowText(page, 1))[2]).toBe("(2..10]");

  // Typing replaces, Tab goes on.
  await page.keyboard.type("(2..x]");
  await press("Tab");
  expect(await active(page)).toBe("1 3");
  await page.getByText("1 problem.").waitFor();
  await cell(page, 1, 2).and(page.locator("[aria-invalid='true']")).waitFor();
  expect(await page.getByRole("button", { name: "Publish" }).getAttribute("aria-disabled")).toBe("true");
  expect(await problems(page)).toEqual([]);
  await press("Shift+Home", "Delete");
  expect((await rowText(page, 1)).slice(0, 4)).toEqual(["", "any", "any", "any"]);
  await press("Control+z", "Control+z");
  expect((await rowText(page, 1)).slice(0, 3)).toEqual(["home-medium", "home", "(2..10]"]);
  await press("Control+y", "Control+z");

  // Rows move, cells are copied.
  await press("Alt+ArrowDown");
  expect(await active(page)).toBe("2 0");
  expect((await rowText(page, 2))[0]).toBe("home-medium");
  await press("Control+z", "ArrowDown", "ArrowRight");
  await press("Control+End");
  expect(await active(page)).toBe("6 8");
  await press("Control+Home", "End");
  expect(await active(page)).toBe("0 8");
  await press("Control+Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight");
  expect(await active(page)).toBe("0 4");
  await page.keyboard.type("5");
  await press("Enter");
  await page.getByText("2 of 2 change.").waitFor();
  expect(await shown(page.getByRole("region", { name: "Examples" }))).toMatch(
    /Small parcel\s+Now fee: 5 instead of fee: 4\.5/,
  );
  await page.getByText("Version 1.2.0 is served with other rows").waitFor();
  await page.getByRole("textbox", { name: "Version" }).focus();
  await press("Control+A");
  await page.keyboard.type("1.3.0");
  await press("Tab");
  await page.getByRole("button", { name: "Publish" }).and(page.locator("[aria-disabled='false']")).waitFor();
  await tabTo("Publish");
  await press("Enter");
  await page.getByText("A colleague reviews it.").waitFor();
  expect(await page.getByRole("link", { name: "https://git.example/pull/7" }).count()).toBe(1);
  expect(drafts).toHaveLength(1);
  expect(drafts[0]).toMatchObject([
    { id: "shipping-fee", version: "1.3.0", basedOn: shipping.contentHash, served: shipping.contentHash },
    "analyst",
  ]);
  // What the host was given, is a table.
  const given = readTable({ ...shipping }, { name: "draft", document: drafts[0]?.[0].document });
  expect(given.contentHash).toBe(drafts[0]?.[0].contentHash);
  expect(faults).toEqual([]);
});

describe("a draft", () => {
  it("takes what spreadsheets copy, finds gaps, survives a reload, and is downloaded", async () => {
    const { page, faults } = await edit("shipping-fee");
    await page.getByText("1 gap.").waitFor();
    await page.getByRole("button", { name: /^Add row/ }).click();
    expect((await rowText(page, 7)).slice(0, 4)).toEqual(["new-row", '"abroad"', "> 30", "any"]);
    await page.keyboard.press("Home");
    // As Excel copies two rows, one cell with a line break.
    await paste(
      page,
      'heavy\tabroad\t> 30\t-\t80\ttruck\t"By ship,\nmonthly"\r\nlater\tabroad\t> 60\t\t90\ttruck\t\r\n',
    );
    await page.getByText("2 rows pasted. 1 row added.").waitFor({ state: "attached" });
    expect((await rowText(page, 7)).slice(0, 7)).toEqual([
      "heavy",
      "abroad",
      "> 30",
      "any",
      "80",
      "truck",
      "By ship, monthly",
    ]);
    await page
      .locator(".finding-text")
      .getByText("Rows heavy and later match together, which policy U forbids.")
      .waitFor();
    await page.getByText("Rows overlap that the policy does not allow to.").waitFor();
    // As LibreOffice does: HTML says where cells end, whatever their quotes.
    await page.locator(".edit-grid [data-row='8'] [data-column='2']").click();
    await paste(page, "x", "<table><tr><td>&gt;&nbsp;60</td><td>\n  false,\n  null</td></tr></table>");
    expect((await rowText(page, 8)).slice(1, 4)).toEqual(["abroad", "> 60", "false, null"]);
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: "Delete row" }).click();
    await page.getByText("Every input that the schemas allow meets exactly one row.").waitFor();
    await page.getByRole("button", { name: "Duplicate row" }).click();
    await page.locator(".edit-toolbar").getByRole("button", { name: "Undo" }).click();

    // Kept a moment later.
    const kept = () =>
      page.evaluate<boolean>("Object.values(localStorage).some((text) => text.includes('monthly'))");
    await expect.poll(kept).toBe(true);
    await page.waitForTimeout(500);
    await page.reload();
    await page.getByRole("button", { name: "Continue your draft" }).click();
    await page.getByText(/^Continued from/).waitFor();
    expect((await rowText(page, 7)).slice(0, 3)).toEqual(["heavy", "abroad", "> 30"]);
    await page.getByText("Every cell can be read.").waitFor();
    for (const form of ["JSON", "CSV", "XLSX"]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: form, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`shipping-fee-1.2.0.${form.toLowerCase()}`);
      const read = readTable({ ...shipping }, { name: form, bytes: await readFile(await download.path()) });
      expect(read.ruleIds).toEqual([...shipping.ruleIds, "heavy"]);
    }
    await page.getByRole("button", { name: "Discard the draft" }).click();
    expect(await problems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await page.getByRole("button", { name: "Discard the draft" }).count()).toBe(1);
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByText("A copy of version 1.2.0.").waitFor();
    expect(await page.locator(".edit-grid [data-row]").count()).toBe(7);
    expect(faults).toEqual([]);
  });

  it("is not lost to a second tab, and says where it is older than what is served", async () => {
    const { page, faults } = await edit("discount");
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByRole("button", { name: "Edit a copy" }).click();
    await second.getByText("Every cell can be read.").waitFor();
    await type(page, 0, 4, "1");
    await second.getByText("This draft was changed in a different tab.").waitFor();
    expect(await problems(second)).toEqual([]);
    await second.getByRole("button", { name: "Show the draft of the other tab" }).click();
    expect((await rowText(second, 0))[4]).toBe("1");
    // The default has outputs, and no conditions.
    await cell(second, 5, 1).click();
    await second.keyboard.press("Enter");
    await second.getByText("The default has outputs only.").waitFor({ state: "attached" });
    const version = page.getByRole("textbox", { name: "Version" });
    await version.focus();
    await page.keyboard.press("End");
    await page.keyboard.type("9");
    await type(second, 5, 4, "3");
    await page.getByText("This draft was changed in a different tab.").waitFor();
    // What the page learns does not take the place of what is being typed.
    expect(await version.inputValue()).toBe("3.0.09");
    await page.keyboard.press("Backspace");
    await page.getByRole("button", { name: "Keep this one instead" }).click();
    // As if the table had changed since.
    await page.evaluate(
      "for (const [key, text] of Object.entries(localStorage)) localStorage.setItem(key, text.replace(/sha256:[0-9a-f]{64}/, 'sha256:0'))",
    );
    await page.reload();
    await page.getByRole("button", { name: "Continue your draft" }).click();
    await page.getByText("This draft is older than the served table").waitFor();
    expect(faults).toEqual([]);
  });

  it("of 10,000 rows is drawn as far as it is seen, and checked while the page stays free", async () => {
    const { page, faults } = await edit("tariff");
    await cell(page, 0, 0).click();
    await page.keyboard.press("Control+End");
    await expect.poll(() => active(page)).toBe("9999 6");
    expect(await page.locator(".edit-grid [data-row]").count()).toBeLessThan(60);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("[9998..9998]");
    await page.keyboard.press("Enter");
    await page.getByText("1 gap.").waitFor();
    await page.keyboard.type("nonsense");
    await page.locator("textarea[aria-invalid='true']").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1 problem.").waitFor();
    await page.keyboard.press("Control+Home");
    await page.getByRole("button", { name: /^Go to/ }).click();
    await expect.poll(() => active(page)).toBe("9999 1");
    expect(faults).toEqual([]);
  });
});

describe("records", () => {
  it("say what a draft would have changed, and how often rows decided", async () => {
    const post = (input: unknown) =>
      server.handler.inject({ method: "POST", url: "/decisions/shipping-fee", payload: { input } });
    for (const weightKg of [1, 1, 2, 3, 4]) await post({ zone: "home", weightKg });
    await post({ zone: "abroad", weightKg: 50 });
    await post({ zone: "moon" });
    await log.flush();
    const { page, faults } = await site.visit("/docs#/shipping-fee");
    await formLoaded(page);
    await page.getByRole("button", { name: "Count hits" }).click();
    await page.getByText("6 records of the last 30 days. 5 rows were not met.").waitFor();
    expect(await page.getByRole("columnheader").nth(1).innerText()).toBe("Hits, 30 days");
    const hits = page.locator(".grid [data-row] .cell.hits .cell-value");
    expect((await hits.allInnerTexts()).slice(0, 4)).toEqual(["3", "2", "none", "none"]);

    await page.getByRole("button", { name: "Edit a copy" }).click();
    await page.getByText("Every cell can be read.").waitFor();
    const compare = page.getByRole("button", { name: "Compare", exact: true });
    await compare.click();
    await page.getByText("Nothing changes: all 7 results of the last 7 days stay the same.").waitFor();
    await type(page, 0, 2, "<= 1.5");
    await page.getByText("The draft has changed since.").waitFor();
    await page.getByText("Every cell can be read.").waitFor();
    await page.getByText("2 gaps.").waitFor();
    await compare.click();
    await page.getByText("1 of 7 results would change.").waitFor();
    const changes = page
      .getByRole("region", { name: "Would this have changed past results?" })
      .getByRole("listitem");
    expect(await shown(changes)).toMatch(/Now no match instead of {.*"fee":4\.5/);
    expect(await changes.getByRole("link").getAttribute("href")).toMatch(/^records#\/[0-9a-f-]{36}$/);
    expect(await problems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("promise nothing of a log that is damaged", async () => {
    await log.flush();
    const file = join(directory, "1-00000001.ndjson");
    const text = await readFile(file, "utf8");
    onTestFinished(() => writeFile(file, text));
    // As long as before, since the log writes on.
    await writeFile(file, text.replace('"recordVersion":1,"recordedAt"', '"recordVersion":9,"recordedAt"'));
    const { page, faults } = await edit("shipping-fee");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page
      .getByText("None of the 6 results that were compared would change. Part of the log could not be read.")
      .waitFor();
    await page.getByRole("button", { name: "Close the draft" }).click();
    await page.getByRole("button", { name: "Count hits" }).click();
    await page.getByText(/^5 records .* not met\. Part of the log could not be read\.$/).waitFor();
    expect(faults).toEqual([]);
  });

  it("and publishing are for who may look at records", async () => {
    const before = drafts.length;
    const { page, faults } = await edit("shipping-fee", { extraHTTPHeaders: { "x-api-key": "shop-key" } });
    await type(page, 0, 4, "5");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByText("The records could not be read: Access denied").waitFor();
    await page.getByRole("button", { name: "Publish" }).and(page.locator("[aria-disabled='false']")).click();
    await page.getByText("Not published: this key may not publish").waitFor();
    expect(drafts).toHaveLength(before);
    expect(faults).toEqual([]);
  });
});

it("is read, and not edited, on a phone", async () => {
  const { page, faults } = await site.visit("/docs#/shipping-fee", { viewport: { width: 390, height: 844 } });
  await formLoaded(page);
  await page.getByRole("button", { name: "Count hits" }).waitFor();
  expect(await page.getByRole("button", { name: "Edit a copy" }).count()).toBe(0);
  expect(await problems(page)).toEqual([]);
  // A window that becomes too narrow keeps the draft.
  await page.setViewportSize({ width: 900, height: 844 });
  await page.getByRole("button", { name: "Edit a copy" }).click();
  await page.getByText("Every cell can be read.").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText("Editing needs a wider window. The draft is kept.").waitFor();
  expect(await page.getByRole("grid").count()).toBe(0);
  expect(await problems(page)).toEqual([]);
  expect(faults).toEqual([]);
});
