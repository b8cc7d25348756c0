import { explain } from "@decern/explain";
import { createServer } from "@decern/server";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { formLoaded, problems, shown, useBrowser } from "./browser.js";
import { discount, fees, shipping, shouted, tariff } from "./tables.js";
import { zoo } from "./zoo.js";

const site = useBrowser(
  createServer({
    decisions: [shipping, discount, tariff, fees, shouted, zoo],
    profiles: { zoo: { minAge: 18 } },
    explain: explain(),
    liveDocs: true,
    logger: false,
  }),
);

const quiet = useBrowser(createServer({ decisions: [shipping], liveDocs: false, logger: false }));

const phone = { viewport: { width: 390, height: 844 } };

function rowOf(page: Page, id: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: id }) });
}

function styleOf(row: Locator) {
  return row.evaluate((node) => {
    const computed = node.ownerDocument.defaultView?.getComputedStyle(node);
    return { border: computed?.borderTopStyle, outline: computed?.outlineStyle };
  });
}

/** Opens a table, once its cells are marked and its analysis is there. */
async function open(id: string, options = {}) {
  const visit = await site.visit(`/docs#/${id}`, options);
  const { page } = visit;
  await formLoaded(page);
  await page.getByText("Decides", { exact: true }).first().waitFor();
  await page.getByText("Looking for gaps and overlaps…").waitFor({ state: "detached" });
  return visit;
}

describe("a table with a gap", () => {
  it("says its policy in words, and of each cell whether it holds, with the value that fails", async () => {
    const { page, faults } = await open("shipping-fee");
    const card = page.getByRole("region", { name: "Decision table" });
    expect(await shown(card)).toContain("Policy U Exactly one row may match, and it decides. 7 rows.");
    const heads = await page.getByRole("columnheader").allInnerTexts();
    expect(heads.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
      "Row",
      "Zone",
      "Weight (kg) weightKg",
      "Express",
      "→ Fee (EUR) fee",
      "→ Carrier",
      "Note",
    ]);
    // The example: home, 1 kg.
    expect(await rowOf(page, "home-light").innerText()).toMatch(
      /^home-light\s+Decides\s+home\s+held\s+<= 2\s+held/,
    );
    expect(await rowOf(page, "home-medium").innerText()).toMatch(/\(2\.\.10\]\s+1 ≤ 2/);
    expect(await rowOf(page, "near-heavy").innerText()).toMatch(/near\s+home ≠ near\s+> 10\s+1 ≤ 10/);
    expect(await page.getByText("Decides", { exact: true }).count()).toBe(2);

    await page.getByLabel("Weight (kg)", { exact: true }).fill("11");
    await rowOf(page, "home-heavy").getByText("Decides").waitFor();
    expect(await rowOf(page, "home-light").innerText()).toContain("11 > 2");
    expect(await rowOf(page, "home-light").innerText()).not.toContain("Decides");
    // Beside the form, the row that decided.
    const matching = page.getByRole("region", { name: "Rows that match" });
    expect(await shown(matching)).toContain("home-heavy");
    expect(await problems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("shows the gap as a dashed row, and puts its input into the form", async () => {
    const { page, faults } = await open("shipping-fee");
    expect(await shown(page.locator(".findings-status"))).toBe(
      "1 gap. No input that the schemas allow meets two rows.",
    );
    const gap = page.locator(".grid-row.gap");
    expect(await gap.innerText()).toMatch(/No row\s+Try it\s*: gap 1\s+"abroad"\s+> 30\s+any/);
    expect((await styleOf(gap)).border).toBe("dashed");
    await gap.getByRole("button", { name: /^Try it/ }).click();
    await page.locator(".outcome").getByText("No rule matched", { exact: true }).waitFor();
    expect(await page.getByLabel("Zone", { exact: true }).locator("option:checked").innerText()).toBe(
      "abroad",
    );
    expect(Number(await page.getByLabel("Weight (kg)", { exact: true }).inputValue())).toBeGreaterThan(30);
    // The rows that one cell alone keeps from being met.
    const nearly = page.getByRole("region", { name: "Rows that nearly match" });
    expect(await shown(nearly)).toMatch(/> 30/);
    expect(await problems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe("a table with overlaps", () => {
  it("outlines the rows that lose to the policy, and knows the profile of the host", async () => {
    const { page, faults } = await open("discount");
    expect(await rowOf(page, "good-score").innerText()).toContain("601 < 620 (profile.minScore)");
    expect(await rowOf(page, "loyal").innerText()).toContain("Decides");
    const lost = rowOf(page, "campaign");
    expect(await lost.innerText()).toMatch(/Also matches\s+from 2026-01-01 until 2096-01-01/);
    expect((await styleOf(lost)).border).toBe("solid");
    await page.getByLabel("Country", { exact: true }).fill("KP");
    await rowOf(page, "blocked").getByText("Decides").waitFor();
    await page.getByLabel("Years as a customer", { exact: true }).fill("0");
    await page.getByLabel("Country", { exact: true }).fill("FR");
    await rowOf(page, "Default").getByText("Decides").waitFor();
    expect(faults).toEqual([]);
  });

  it("names them and the row that never decides, joins two, and tries an input that meets both", async () => {
    const { page, faults } = await open("discount");
    const card = page.getByRole("region", { name: "Decision table" });
    expect(await shown(card.locator(".findings-status"))).toBe("9 overlaps, 1 row that never decides.");
    await card.locator(".finding-text").getByText("Row old-friends never decides").waitFor();
    await card.getByRole("button", { name: "Show 9 more" }).click();
    const overlap = card
      .getByRole("listitem")
      .filter({ hasText: "Rows good-score and loyal match together" });
    await overlap.getByRole("button", { name: /^Show/ }).click();
    expect(await page.locator(".joint").allInnerTexts()).toEqual([
      expect.stringContaining("good-score"),
      expect.stringContaining("loyal"),
    ]);
    expect(await problems(page)).toEqual([]);
    await overlap.getByRole("button", { name: /^Try it/ }).click();
    // It is somebody from a country that an earlier row blocks.
    await rowOf(page, "blocked").getByText("Decides").waitFor();
    await rowOf(page, "good-score").getByText("Also matches").waitFor();
    await rowOf(page, "loyal").getByText("Also matches").waitFor();
    expect(faults).toEqual([]);
  });
});

it("shows every row that a list is made of", async () => {
  const { page, faults } = await open("fees");
  expect(await page.locator(".policy").innerText()).toContain(
    "All rows that match, in the order of the table.",
  );
  expect(await page.locator(".grid-row.decides").count()).toBe(2);
  expect(faults).toEqual([]);
});

it("marks nothing where the service's result does not follow from the cells and the schemas", async () => {
  const { page, faults } = await site.visit("/docs#/shouted");
  const card = page.getByRole("region", { name: "Decision table" });
  await card.getByText("so the cells are not marked").waitFor();
  expect(await page.locator(".outcome .headline").innerText()).toContain("germany decided");
  expect(await page.locator(".grid-row.decides, .mark").count()).toBe(0);
  await page.getByLabel("country", { exact: true }).fill("DE");
  await rowOf(page, "germany").getByText("Decides").waitFor();
  expect(faults).toEqual([]);
});

it("waits for a call where the service records them, and marks the rows of that", async () => {
  const { page, faults } = await quiet.visit("/docs#/shipping-fee");
  await page.getByText("1 gap.").waitFor();
  expect(await page.locator(".mark").count()).toBe(0);
  await page.getByRole("button", { name: "Evaluate" }).click();
  await rowOf(page, "home-light").getByText("Decides").waitFor();
  await page.getByLabel("Weight (kg)", { exact: true }).fill("3");
  // What the form says now is not what the rows say.
  await page.getByText("Marks of the last call").waitFor();
  expect(await problems(page)).toEqual([]);
  expect(faults).toEqual([]);
});

describe("a table of 10,000 rows", () => {
  it("draws only what is seen, goes to the row that decides, and proves that it is complete", async () => {
    const { page, faults } = await open("tariff");
    expect(await shown(page.locator(".findings-status"))).toBe(
      "Every input that the schemas allow meets exactly one row.",
    );
    const grid = page.getByRole("grid");
    expect(await grid.getAttribute("aria-rowcount")).toBe("10001");
    // The example is in the middle, and the grid follows it.
    const decider = rowOf(page, "r-5002");
    expect(await decider.getAttribute("aria-rowindex")).toBe("5003");
    expect(await decider.innerText()).toMatch(/Decides\s+\[5000\.\.5001\]\s+held\s+b\s+held\s+85\.02/);
    expect(await page.locator("[data-row]").count()).toBeLessThan(60);

    const scroller = page.locator(".grid-scroller");
    await scroller.evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
    await rowOf(page, "r-10000").waitFor();
    expect(await page.locator("[data-row]").count()).toBeLessThan(60);
    expect(await decider.count()).toBe(0);
    await page.getByRole("button", { name: "Go to the deciding row" }).click();
    await page.locator("[data-row='5001'] [data-column='0']:focus").waitFor();
    expect(await problems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("is walked by keys, with one stop of the Tab key", async () => {
    const { page, faults } = await open("tariff");
    const at = () =>
      page.evaluate<string>(
        "[document.activeElement.closest('[data-row]')?.dataset.row, document.activeElement.dataset.column].join(' ')",
      );
    await page.getByRole("button", { name: "Go to the deciding row" }).click();
    await expect.poll(at).toBe("5001 0");
    for (const [key, place] of [
      ["ArrowRight", "5001 1"],
      ["ArrowDown", "5002 1"],
      ["End", "5002 3"],
      ["Control+End", "9999 3"],
      ["ArrowDown", "9999 3"],
      ["Control+Home", "0 0"],
      ["ArrowUp", "0 0"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(at, { message: key }).toBe(place);
    }
    await page.keyboard.press("PageDown");
    await expect.poll(async () => Number.parseInt(await at(), 10)).toBeGreaterThan(3);
    // The cell that has the keyboard is in the window.
    const cell = await page.locator("[data-column]:focus").boundingBox();
    const box = await page.locator(".grid-scroller").boundingBox();
    if (cell === null || box === null) throw new Error("not drawn");
    expect(cell.y).toBeGreaterThanOrEqual(box.y);
    expect(cell.y + cell.height).toBeLessThanOrEqual(box.y + box.height + 1);
    expect(await page.locator(".grid [tabindex='0']").count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it("prints the first thousand rows, and says so", async () => {
    const { page } = await open("tariff");
    await page.emulateMedia({ media: "print" });
    await page.getByText("The first 1,000 of 10,000 rows.").waitFor();
    expect(await page.locator("[data-row]").count()).toBe(1000);
    expect(await page.locator("form.call").isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await expect.poll(() => page.locator("[data-row]").count()).toBeLessThan(60);
  });
});

it.each(["shipping-fee", "discount", "tariff"])("shows cards on a phone: %s", async (id) => {
  const { page, faults } = await open(id, phone);
  const card = page.locator(".grid-row.decides");
  const labels = await card.locator(".cell-label").allInnerTexts();
  expect(labels.length).toBeGreaterThanOrEqual(3);
  const [first, second] = await Promise.all([0, 1].map((at) => card.locator(".cell").nth(at).boundingBox()));
  expect(second?.y ?? 0).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0) - 1);
  expect(await problems(page)).toEqual([]);
  expect(faults).toEqual([]);
});

it("shows states by lines where colours are forced", async () => {
  const { page } = await open("discount", { forcedColors: "active" });
  expect((await styleOf(page.locator(".grid-row.decides"))).outline).toBe("solid");
  expect((await styleOf(page.locator(".grid-row.also"))).outline).toBe("dashed");
});

it("loads nothing of tables for a decision of rules", async () => {
  const { page, requests } = await site.visit("/docs#/zoo");
  await formLoaded(page);
  await page.getByRole("region", { name: "Rules, in order" }).waitFor();
  expect(requests.filter((url) => /table|content/.test(url))).toEqual([]);
});
