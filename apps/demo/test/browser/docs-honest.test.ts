import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { serviceOptions } from "../../src/service-options.js";
import { settings } from "../support/settings.js";
import { violations } from "./axe.js";
import { example, openTab, shown, useBrowser } from "./browser.js";

const options = { ...serviceOptions(settings), logger: false };
const site = useBrowser(createServer(options));
const closed = useBrowser(createServer({ ...options, profileOverride: false }));
const waiting = useBrowser(createServer({ ...options, liveDocs: false }));

const loan = "/docs#/loan-approval/versions/1.2.0";
const applicant = { age: 34, income: 68_000, creditScore: 765, employment: "employed" };
const application = { applicant, amount: 20_000, termMonths: 60, country: "GB" };
const sharedCall = Buffer.from(JSON.stringify({ input: application })).toString("base64url");

const answer = (page: Page) => page.locator(".outcome .answer");
const score = (page: Page) => page.getByRole("textbox", { name: "Credit score" });
const flips = (page: Page) => page.getByRole("region", { name: "What would change it" });

/** Holds every live evaluation back until it is released. */
async function hold(page: Page): Promise<() => void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/docs/live/**", async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  return release;
}

it("leads with the answer in its author's words, and the rule second", async () => {
  const { page } = await site.visit(loan);
  await expect.poll(() => shown(answer(page))).toBe("Approved · 4.9 % a year");
  await expect.poll(() => shown(page.locator(".outcome .decided > span"))).toBe("prime decided");
  await score(page).fill("580");
  await expect.poll(() => shown(answer(page))).toBe("Declined");
  // How it is named is no fact about the decision.
  expect(await page.locator(".meta").innerText()).not.toContain("Headline");
});

it("says which field would change a blocked country, and which it did not search in full", async () => {
  const { page } = await site.visit(loan);
  await example(page, "Blocked country").click();
  await flips(page)
    .getByText(/With Country “GB” instead of “KP”/)
    .waitFor();
  await flips(page)
    .getByText(/Not fully tested: .*Country.*Customer/)
    .waitFor();
  await flips(page)
    .getByRole("button", { name: /^Try it.*Country$/ })
    .click();
  await expect.poll(() => shown(answer(page))).toBe("Approved · 4.9 % a year");
});

it.each([
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
])("marks an outcome that is about to be replaced, on a $name", async ({ viewport }) => {
  const { page } = await site.visit(loan, { viewport });
  await expect.poll(() => shown(answer(page))).toBe("Approved · 4.9 % a year");
  await flips(page)
    .getByRole("button", { name: /^Try it/ })
    .first()
    .waitFor();
  const release = await hold(page);
  await score(page).fill("601");
  await page.locator(".outcome[aria-busy=true]").getByText("Updating…").waitFor();
  expect(await page.getByText("Live preview").count()).toBe(0);
  if (viewport.width < 1080) await page.locator(".glance.old").getByText("Updating…").waitFor();
  // What would have changed the outcome before is not to be pressed.
  const old = flips(page)
    .getByRole("button", { name: /^Try it/ })
    .first();
  expect(await old.getAttribute("aria-disabled")).toBe("true");
  await old.click({ force: true });
  expect(await score(page).inputValue()).toBe("601");
  expect(await violations(page)).toEqual([]);
  release();
  await expect.poll(() => shown(answer(page))).toBe("Declined");
  await expect.poll(() => page.getByText("Updating…").count()).toBe(0);
});

it("asks for one explanation once the form rests, and ends the one before", async () => {
  const { page } = await site.visit(loan);
  await flips(page)
    .getByRole("button", { name: /^Try it/ })
    .first()
    .waitFor();
  const asked: string[] = [];
  let open = 0;
  let most = 0;
  page.on("request", (request) => {
    if (!request.url().endsWith("/explain")) return;
    asked.push(request.postData() ?? "");
    open += 1;
    most = Math.max(most, open);
  });
  const ended = (request: { url(): string }) => {
    if (request.url().endsWith("/explain")) open -= 1;
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  for (let at = 700; at < 712; at += 1) {
    await score(page).fill(String(at));
    // As somebody drags: each is evaluated, none is explained.
    await page.locator(".outcome .reason").getByText(String(at)).waitFor();
  }
  await expect.poll(() => asked.at(-1)).toContain('"creditScore":711');
  await expect.poll(() => flips(page).getAttribute("aria-busy")).toBe("false");
  expect(asked.length).toBeLessThan(12);
  expect(most).toBe(1);
});

it("keeps the verdict in sight wherever the page is scrolled to, and all that belongs to it within reach", async () => {
  const { page } = await site.visit(loan, { viewport: { width: 1440, height: 900 } });
  await expect.poll(() => shown(answer(page))).toBe("Approved · 4.9 % a year");
  const inside = async (locator: ReturnType<Page["locator"]>): Promise<boolean> => {
    const box = await locator.boundingBox();
    return box !== null && box.y >= 56 && box.y + box.height <= 900;
  };
  const end = "document.documentElement.scrollHeight";
  for (const place of ["0", `(${end}) / 2`, end]) {
    await page.evaluate(`scrollTo(0, ${place})`);
    for (const part of [
      answer(page),
      page.locator(".outcome dl.data > div").first(),
      page.getByRole("tablist"),
    ]) {
      expect(await inside(part), place).toBe(true);
    }
  }
  await openTab(page, "Call it");
  expect(await inside(page.getByRole("button", { name: "Copy as curl" }))).toBe(true);
  await page.keyboard.press("ArrowLeft");
  await page
    .getByText("Nothing was evaluated in this tab yet.")
    .or(page.getByRole("region", { name: "History" }))
    .waitFor();
});

/** Adds up what moves without anybody having done something. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });`);
}

it.each([
  ["the outcome, the bands and the flips", loan],
  ["a table, its marks and its gaps", "/docs#/shipping-fee"],
])("moves nothing when %s come", async (_what, path) => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const { page } = await site.visit("/docs", { viewport });
    await watchShifts(page);
    await page.goto(`${site.origin}${path}`);
    await page.reload();
    await flips(page)
      .getByRole("button", { name: /^Try it/ })
      .first()
      .waitFor();
    await page.getByText(/^Loading the table|^Looking for gaps/).waitFor({ state: "detached" });
    expect(await page.evaluate<number>("shift"), `${viewport.width} px`).toBeLessThan(0.02);
    await page.context().close();
  }
});

it("turns nothing red that nobody has been in, and says how much is missing", async () => {
  const { page } = await site.visit(loan);
  await expect.poll(() => shown(answer(page))).toBe("Approved · 4.9 % a year");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page
    .locator(".outcome")
    .getByText(/^Fill in \d more fields$/)
    .first()
    .waitFor();
  expect(await page.locator("[aria-invalid=true], .issue, .headline.bad").count()).toBe(0);
  const amount = page.getByRole("textbox", { name: "Amount" });
  await amount.focus();
  await amount.blur();
  await expect.poll(() => amount.getAttribute("aria-invalid")).toBe("true");
  expect(await page.locator("[aria-invalid=true]").count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  // Who asks for the evaluation is told everything.
  await page.getByRole("button", { name: "Evaluate", exact: true }).click();
  await expect.poll(() => page.locator("[aria-invalid=true]").count()).toBeGreaterThan(2);
});

it("offers the number that is meant by 68,000", async () => {
  const { page } = await site.visit(loan);
  const income = page.getByRole("textbox", { name: "Income" });
  for (const [text, meant] of [
    ["72,000", "72000"],
    ["1 234 567", "1234567"],
    ["7,5", "7.5"],
  ] as const) {
    await income.fill(text);
    await page.getByRole("button", { name: `Use ${meant}` }).click();
    await expect.poll(() => income.inputValue()).toBe(meant);
  }
  await income.fill("1,23,4");
  await income.blur();
  expect(await page.getByRole("button", { name: /^Use / }).count()).toBe(0);
});

it("does not claim to be at work where nothing runs before somebody evaluates", async () => {
  const { page } = await waiting.visit(loan);
  await page.getByText("Evaluate to see which rule matches, and why.").waitFor();
  expect(await page.getByText("Updating…").count()).toBe(0);
  expect(await flips(page).count()).toBe(0);
  await page.getByRole("button", { name: "Evaluate", exact: true }).click();
  await flips(page)
    .getByRole("button", { name: /^Try it/ })
    .first()
    .waitFor();
});

it.each([
  { what: "after Evaluate", path: loan },
  { what: "for a shared call", path: `${loan}?try=${sharedCall}` },
])(
  "keeps no room for bands before an outcome, and moves nothing by itself $what, however late",
  async ({ path }) => {
    const { page } = await waiting.visit("/docs", { viewport: { width: 1440, height: 900 } });
    await watchShifts(page);
    // Later than what counts as the effect of a click.
    for (const late of ["**/decisions/loan-approval/versions/1.2.0", "**/explain"]) {
      await page.route(late, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        await route.continue();
      });
    }
    await page.goto(`${waiting.origin}${path}`);
    await page.reload();
    if (path === loan) {
      await page.getByText("No outcome yet").waitFor();
      const slider = await page.locator(".field input[type=range]").first().boundingBox();
      const hint = await page.locator("form.call").getByText("In years").boundingBox();
      expect((hint?.y ?? 0) - (slider?.y ?? 0)).toBeLessThan(45);
      await page.getByRole("button", { name: "Evaluate", exact: true }).click();
    }
    await flips(page)
      .getByRole("button", { name: /^Try it/ })
      .first()
      .waitFor();
    await page.locator(".bands-list").first().waitFor();
    expect(await page.evaluate<number>("shift")).toBeLessThan(0.02);
    await page.context().close();
  },
);

it.each([320, 390, 1280, 1440])(
  "has the schemas' buttons on the line of the heading at %d px",
  async (width) => {
    const { page } = await site.visit(loan, { viewport: { width, height: 900 } });
    await page.locator(".schema").getByRole("button", { name: "Copy" }).waitFor();
    const boxes = await page
      .locator(".schema .card-head > *")
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()));
    expect(boxes).toHaveLength(3);
    expect(Math.max(...boxes.map(({ top }) => top))).toBeLessThan(
      Math.min(...boxes.map(({ bottom }) => bottom)),
    );
    await page.context().close();
  },
);

it("names the rules that no example reaches", async () => {
  const { page } = await site.visit(loan);
  await page.getByRole("button", { name: "Run all" }).click();
  await page.getByText("7 of 7 rules covered.").waitFor();
});

it("says that a link's profile does not apply where callers may send none, and shows no example that needs one", async () => {
  const call = Buffer.from(JSON.stringify({ input: {}, profile: { minScore: 560 } })).toString("base64url");
  const { page } = await closed.visit(`/docs#/loan-approval/versions/1.2.0?try=${call}`);
  await page.getByText("This link has a profile, but the service takes none from callers").waitFor();
  expect(await example(page, "The same score under a more lenient policy").count()).toBe(0);
});

it("says what it shows instead of a link that cannot be read", async () => {
  const { page } = await site.visit(loan);
  await score(page).fill("633");
  await page.goto(`${site.origin}/docs#/loan-approval/versions/1.2.0?try=eyJpbnB1d`);
  await page.getByText("cannot be read. Here is what you had in the form instead.").waitFor();
  await expect.poll(() => score(page).inputValue()).toBe("633");
  const { page: other } = await site.visit("/docs#/loan-approval/versions/1.2.0?try=eyJpbnB1d");
  await other.getByText("cannot be read. Here is the first example instead.").waitFor();
  await other.context().close();
});

it("takes the input along to another version, and compares the two", async () => {
  const { page, faults } = await site.visit(loan);
  await score(page).fill("633");
  await page.getByRole("combobox", { name: "Version", exact: true }).selectOption("2.0.0");
  await page.getByText("Your input came along from version 1.2.0.").waitFor();
  expect(await score(page).inputValue()).toBe("633");
  await page.getByRole("button", { name: "Compare with 1.2.0" }).click();
  const table = page.getByRole("table", { name: "Version 1.2.0 and this outcome" });
  await table.getByRole("row").filter({ hasText: "Version" }).getByText("2.0.0").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
});
