import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { violations } from "./axe.js";
import { shown } from "./browser.js";
import { giveKey, shopKey, useRecords } from "./records-site.js";

const { site, log, apply, open } = useRecords();

const person = { id: "p-17", name: "Ada Lovelace" };
let declined = "";
let erased = "";
let ownProfile = "";

beforeAll(async () => {
  for (let minute = 0; minute < 60; minute += 1) {
    const at = `2026-01-05T10:${String(minute).padStart(2, "0")}:00.000Z`;
    await apply({ at, version: "1.0.0", body: { input: { amount: minute } } });
  }
  await apply({
    at: "2026-03-02T09:00:00.000Z",
    body: { input: { amount: 5000, lateBills: 0, applicant: person } },
  });
  declined = await apply({
    at: "2026-03-03T14:05:09.123Z",
    requestId: "application-4711",
    body: { input: { amount: 5000, lateBills: 4, applicant: person } },
  });
  await apply({ at: "2026-03-03T23:59:59.999Z", body: { input: { amount: "much", lateBills: 4 } } });
  ownProfile = await apply({
    at: "2026-03-04T00:00:00.000Z",
    version: "1.0.0",
    body: { input: { amount: 70 }, profile: { limit: 50, currency: "CHF" } },
  });
  erased = await apply({
    at: "2026-03-05T12:00:00.000Z",
    body: { input: { amount: 1, lateBills: 4, applicant: { id: "p-99", name: "Grace" } } },
  });
  expect(await log.erase({ subject: "p-99" })).toEqual({ records: 1 });
});

const results = (page: Page): Locator => page.getByRole("table", { name: "Records, newest first" });
const times = (page: Page): Locator => results(page).locator("time");
const status = (page: Page): Locator => page.getByRole("region", { name: "Results" }).locator("p.count");
const card = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });
const outcomeMenu = (page: Page): Locator => page.getByRole("combobox", { name: "Outcome" });

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox").fill(text);
  await page.getByRole("button", { name: "Search", exact: true }).click();
}

async function ladder(region: Locator): Promise<readonly string[]> {
  const rungs = region.locator(".rungs").first().getByRole("listitem");
  await rungs.first().waitFor();
  return (await rungs.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
}

const fact = (region: Locator, name: string): Promise<string> =>
  shown(region.locator("dl.facts > div").filter({ hasText: name }).locator("dd"));

it("tells why an application was declined on 3 March", async () => {
  const { page, requests, faults } = await open();
  await search(page, "p-17");
  await expect.poll(() => status(page).innerText()).toBe("2 records, found by person");
  await results(page).getByRole("link", { name: "2026-03-03 14:05:09" }).click();
  await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();

  const outcome = card(page, "Outcome");
  await expect.poll(() => shown(outcome.locator(".decided"))).toMatch(/^risky decided\s+OK$/);
  await expect.poll(() => shown(outcome.locator(".reason"))).toBe("The risk is high");
  await expect.poll(() => shown(outcome.locator("dl.data"))).toMatch(/approved\s+false/);
  await expect
    .poll(() => ladder(card(page, "Rules, in order")))
    .toEqual(["too-much Not matched", "risky Matched The risk is high", "fine Not reached"]);
  const used = card(page, "Decisions used");
  await expect
    .poll(() => shown(used))
    .toMatch(/credit-risk\s+2\.0\.1[\s\S]*few-points[\s\S]*credit-points\s+1\.3\.0[\s\S]*4 late bills/);

  await expect
    .poll(() => shown(card(page, "Input").locator("dl.data").first()))
    // In the order of the schema, then what it does not name.
    .toMatch(/^amount\s+5000\s+lateBills\s+4\s+applicant\s+id\s+p-17\s+name\s+removed before writing$/);
  await expect
    .poll(() => shown(card(page, "Removed before writing").getByRole("listitem")))
    .toBe("/input/applicant/name");

  const who = card(page, "Who asked, and when");
  await expect.poll(() => fact(who, "When")).toContain("2026-03-03 14:05:09 UTC");
  await expect.poll(() => fact(who, "Caller")).toBe("branch-office");
  await expect.poll(() => fact(who, "Request id")).toMatch(/^application-4711\s/);
  await expect.poll(() => fact(who, "Chosen by")).toBe("The service, as its default version");
  await expect.poll(() => fact(who, "Kept")).toBe("Every call like this one");

  const revision = card(page, "Revision");
  await expect.poll(() => fact(revision, "Build")).toBe("4f2c9e1");
  await expect.poll(() => fact(revision, "Profile hash")).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await shown(revision.locator("dl.data"))).toMatch(/^limit\s+10,000$/);

  await page.getByText("Hashes", { exact: true }).click();
  const { value: record } = await log.find({ recordId: declined })[Symbol.asyncIterator]().next();
  const hashes = page.locator(".proof");
  for (const hash of [record.hash, record.previousHash, record.payloadHash, record.subject]) {
    await hashes.getByText(hash, { exact: true }).waitFor();
  }
  expect(await page.content()).not.toContain("Lovelace");
  for (const url of requests) {
    expect(url.startsWith(site.origin) || url.startsWith("data:"), url).toBe(true);
    // Proxies log URLs.
    expect(url).not.toContain("p-17");
  }
  expect(faults).toEqual([]);
});

it("says that a key may not look at records, and takes another one", async () => {
  const { page, faults } = await site.visit("/records");
  await giveKey(page, shopKey);
  await page.getByRole("heading", { name: "Access denied" }).waitFor();
  await expect.poll(() => shown(page.getByRole("alert"))).toBe("This key may not look at records");
  await page.goto(`${site.origin}/records#/${declined}`);
  await page.getByRole("heading", { name: "Access denied", level: 1 }).waitFor();
  await expect.poll(() => shown(page.getByRole("alert"))).toBe("This key may not look at records");
  await page.getByLabel("API key").fill("k3y-of-the-auditor");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();
  expect(faults).toEqual([]);
});

describe("searching", () => {
  it("opens a record by its id, and going back leaves the page", async () => {
    const { page, faults } = await open();
    await times(page).first().waitFor();
    await search(page, declined);
    await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/${declined}`);
    await page.goBack();
    await expect.poll(() => times(page).first().isVisible()).toBe(true);
    await expect.poll(() => status(page).innerText()).toBe("The newest 50 records · 65 in all");
    expect(faults).toEqual([]);
  });

  it("finds a request by its id, and says so when asked for one kind only", async () => {
    const { page } = await open();
    await search(page, " application-4711 ");
    await expect.poll(() => status(page).innerText()).toBe("1 record, found by request id");
    await page.getByRole("combobox", { name: "Search for" }).selectOption("Person");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("heading", { name: "No records" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/?q=application-4711&as=person");
  });

  it("keeps filters in the address, through reload, back and forward", async () => {
    const { page, faults } = await open();
    await page.getByLabel("From (UTC)", { exact: true }).fill("2026-03-03");
    await page.getByLabel("To (UTC)", { exact: true }).fill("2026-03-03");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => status(page).innerText()).toBe("2 records");
    await expect
      .poll(() => times(page).allInnerTexts())
      .toEqual(["2026-03-03 23:59:59", "2026-03-03 14:05:09"]);
    await outcomeMenu(page).selectOption("INVALID INPUT");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => status(page).innerText()).toBe("1 record");
    expect(new URL(page.url()).hash).toBe("#/?from=2026-03-03&to=2026-03-03&status=INVALID_INPUT");

    // The key stays in this tab.
    await page.reload();
    await expect.poll(() => status(page).innerText()).toBe("1 record");
    await expect.poll(() => outcomeMenu(page).inputValue()).toBe("INVALID_INPUT");
    await page.goBack();
    await expect.poll(() => status(page).innerText()).toBe("2 records");
    await expect.poll(() => outcomeMenu(page).inputValue()).toBe("");
    await page.goForward();
    await expect.poll(() => status(page).innerText()).toBe("1 record");
    expect(faults).toEqual([]);
  });

  it("filters by the time of day, its last minute included", async () => {
    const { page, faults } = await open();
    const minute = page.getByLabel("From (UTC), time of day");
    expect(await minute.isDisabled()).toBe(true);
    await page.getByLabel("From (UTC)", { exact: true }).fill("2026-03-03");
    await minute.fill("14:05");
    await page.getByLabel("To (UTC)", { exact: true }).fill("2026-03-03");
    await page.getByLabel("To (UTC), time of day").fill("14:04");
    await page.getByText("must not be before the start").waitFor();
    await page.getByLabel("To (UTC), time of day").fill("14:05");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => times(page).allInnerTexts()).toEqual(["2026-03-03 14:05:09"]);
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe("#/?from=2026-03-03T14:05&to=2026-03-03T14:05");
    await page.getByRole("button", { name: "Remove To (UTC) 2026-03-03 14:05" }).click();
    await expect.poll(() => times(page).count()).toBe(4);
    await minute.fill("14:06");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => times(page).count()).toBe(3);
    expect(faults).toEqual([]);
  });

  it("marks a last day before the first, and searches for neither", async () => {
    const { page, requests, faults } = await open();
    await expect.poll(() => times(page).count()).toBeGreaterThan(0);
    const before = requests.length;
    await page.getByLabel("From (UTC)", { exact: true }).fill("2026-03-04");
    const last = page.getByLabel("To (UTC)", { exact: true });
    await last.fill("2026-03-03");
    await page.getByText("must not be before the start").waitFor();
    expect(await last.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    expect(new URL(page.url()).hash).not.toContain("from=");
    await last.fill("2026-03-04");
    await expect.poll(() => last.getAttribute("aria-invalid")).toBe("false");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe("#/?from=2026-03-04&to=2026-03-04");
    // The search that could be made was the only one.
    await expect
      .poll(() => requests.slice(before).filter((url) => url.endsWith("/records/search")).length)
      .toBe(1);
    expect(faults).toEqual([]);
  });

  it("offers what a filter that found nothing may mean, and shows times by the reader's clock", async () => {
    const { page, faults } = await open("#/?version=1.0.0&rule=much", { timezoneId: "Europe/Berlin" });
    await page.getByText("Filters are matched in full. Look for too-much?").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "too-much" }).click();
    await expect.poll(() => status(page).innerText()).toBe("1 record");
    const [utc = ""] = await times(page).allInnerTexts();
    await page.getByRole("radio", { name: "Local time" }).check();
    // In winter, Berlin is an hour ahead.
    const hour = (Number(utc.slice(11, 13)) + 1) % 24;
    await expect
      .poll(() => times(page).first().innerText())
      .toContain(`${String(hour).padStart(2, "0")}${utc.slice(13)} CET`);
    await page.getByRole("columnheader", { name: "Local time" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it.each([
    ["version=1.0.0&rule=too-much", "1 record"],
    ["rule=risky&caller=branch-office", "2 records"],
    ["caller=nobody", "0 records"],
    ["decision=loan&version=2.0.0", "4 records"],
  ])("filters by %s", async (query, count) => {
    const { page } = await open(`#/?${query}`);
    await expect.poll(() => status(page).innerText()).toBe(count);
  });

  it("loads more, newest first, and moves the focus to the first record that was added", async () => {
    const { page, faults } = await open("#/?version=1.0.0");
    await expect.poll(() => times(page).count()).toBe(50);
    await expect.poll(() => status(page).innerText()).toBe("The newest 50 records · 61 in all");
    // Readers of screens are told once.
    expect(await status(page).getByRole("status").innerText()).toBe("The newest 50 records");
    await page.getByRole("button", { name: "Load more" }).click();
    await expect.poll(() => times(page).count()).toBe(61);
    await expect
      .poll(() => results(page).locator("a:focus time").allInnerTexts())
      .toEqual(["2026-01-05 10:10:00"]);
    const all = await times(page).allInnerTexts();
    expect(all).toEqual(all.toSorted().reverse());
    expect(new Set(all).size).toBe(61);
    expect(await status(page).innerText()).toBe("61 records");
    await expect.poll(() => page.getByRole("button", { name: "Load more" }).count()).toBe(0);

    // Coming back from a record, everything is still there, and the focus is where it was.
    await results(page).getByRole("link", { name: "2026-01-05 10:03:00" }).click();
    await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();
    const before = await log.stats();
    await page.getByRole("link", { name: "Back to the results" }).click();
    await expect
      .poll(() => results(page).locator("a:focus time").allInnerTexts())
      .toEqual(["2026-01-05 10:03:00"]);
    await expect.poll(() => times(page).count()).toBe(61);
    expect(await log.stats()).toEqual(before);
    expect(faults).toEqual([]);
  });

  it("says that it is searching, that it failed, and tries again", async () => {
    const { page } = await open("#/?rule=risky");
    await times(page).first().waitFor();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isDown = true;
    await page.route("**/records/search", async (route) => {
      if (!isDown) return route.continue();
      await held;
      return route.fulfill({
        status: 503,
        json: { error: "The decision log is not available", code: "RECORD_UNAVAILABLE" },
      });
    });
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => status(page).innerText()).toBe("Searching…");
    release();
    await page.getByRole("heading", { name: "Couldn't search" }).waitFor();
    await expect.poll(() => shown(page.getByRole("alert"))).toBe("The decision log is not available");
    isDown = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => status(page).innerText()).toBe("2 records");
  });
});

describe("one record", () => {
  it("opens from a shared link, which has nothing of the search", async () => {
    const { page } = await open("#/?q=p-17", { permissions: ["clipboard-read", "clipboard-write"] });
    await results(page).getByRole("link", { name: "2026-03-03 14:05:09" }).click();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link copied").waitFor();
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(link).toBe(`${site.origin}/records#/${declined}`);
    const other = await site.visit(link);
    await giveKey(other.page);
    await expect.poll(() => shown(other.page.locator(".reason"))).toBe("The risk is high");
    expect(other.requests.some((url) => url.endsWith("/records/search"))).toBe(false);
    await other.page.getByRole("link", { name: "All records" }).click();
    await expect.poll(() => times(other.page).count()).toBe(50);
    expect(other.faults).toEqual([]);
    await other.page.context().close();
  });

  it("shows what an erased record still proves", async () => {
    const { page, faults } = await open(`#/${erased}`);
    await page.getByText("Data erased.").waitFor();
    await expect.poll(() => shown(page.locator(".decided"))).toMatch(/^risky decided\s+OK$/);
    await expect
      .poll(() => ladder(card(page, "Rules, in order")))
      .toEqual(["too-much Not matched", "risky Matched", "fine Not reached"]);
    await page.getByText("This call cannot be evaluated again: what the caller sent is gone.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Copy as example" }).count()).toBe(0);
    await page.goto(`${site.origin}/records#/?from=2026-03-05`);
    await expect.poll(() => results(page).innerText()).toContain("no data");
    expect(faults).toEqual([]);
  });

  it("shows the profile that a caller sent", async () => {
    const { page } = await open(`#/${ownProfile}`);
    await expect.poll(() => shown(page.locator(".reason"))).toBe("More than 50 CHF");
    await expect.poll(() => fact(card(page, "Revision"), "Profile")).toContain("Sent by the caller");
    expect(await shown(card(page, "Revision").locator("dl.data"))).toMatch(/^limit\s+50\s+currency\s+CHF$/);
    await expect
      .poll(() => fact(card(page, "Who asked, and when"), "Chosen by"))
      .toBe("The caller, who named this version");
  });

  it("shows what was wrong with an input", async () => {
    const { page } = await open("#/?status=INVALID_INPUT");
    await times(page).first().click();
    const issue = page.locator(".issues li");
    await expect.poll(() => shown(issue)).toMatch(/^\/amount/);
  });

  it("says that there is no such record, and offers to search for a request", async () => {
    const { page } = await open("#/application-4711");
    await page.getByRole("heading", { name: "No such record" }).waitFor();
    await page.getByRole("link", { name: "Search for a request with this id" }).click();
    await expect.poll(() => status(page).innerText()).toBe("1 record, found by request id");
  });
});

it("keeps headings and times on one line beside a long decision and a long rule", async () => {
  const { page } = await open("", { viewport: { width: 1440, height: 900 } });
  await results(page).waitFor();
  await page.evaluate(`(() => {
    document.querySelector(".result-decision .list-id").textContent = "a-long-id-".repeat(10);
    document.querySelector(".result-rule code").textContent = "r".repeat(100);
  })()`);
  const heading = results(page).getByRole("columnheader", { name: "Caller" });
  const lines = (element: Locator) =>
    element.evaluate((node) => {
      const range = node.ownerDocument.createRange();
      range.selectNodeContents(node);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
  expect(await lines(heading)).toBe(1);
  expect(await lines(results(page).locator("tbody time").first())).toBe(1);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1440);
});

it("has what one request made as one row, which fits a phone too and unfolds", async () => {
  for (const lateBills of [0, 4, 4, 4, 4]) {
    await apply({
      at: "2026-03-06T08:00:00.000Z",
      requestId: "batch-1",
      body: { input: { amount: 5000, lateBills } },
    });
  }
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const { page, faults } = await open("#/?from=2026-03-06", { viewport });
    const batch = results(page).getByRole("row").filter({ hasText: "5 records of one request" });
    await batch.waitFor();
    expect(await times(page).count()).toBe(1);
    const name = await batch.locator(".result-decision").boundingBox();
    expect(name?.width).toBeGreaterThan(60);
    expect(name?.height).toBeLessThan(50);
    expect(await violations(page)).toEqual([]);
    await batch.getByRole("button").click();
    await expect.poll(() => times(page).count()).toBe(6);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
    expect(faults).toEqual([]);
    await page.context().close();
  }
});

// Last, because it makes a record.
it("leads from a version to its record, to the decisions, and back, with the key and the version", async () => {
  const call = Buffer.from(JSON.stringify({ input: { amount: 500 } })).toString("base64url");
  const { page, faults } = await site.visit(`/docs#/loan/versions/1.0.0?try=${call}`);
  await giveKey(page);
  await page.getByRole("link", { name: "Record of this call" }).click();
  await page.getByRole("heading", { level: 2, name: "Outcome" }).waitFor();
  await page.getByRole("link", { name: "Open in Try it" }).click();
  await page.waitForURL(/\/docs#\/loan\/versions\/1\.0\.0\?try=/);
  await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();
  await page.goBack();
  await page.getByRole("banner").getByRole("link", { name: "Decisions" }).click();
  await page.getByRole("heading", { level: 1, name: "Decisions" }).waitFor();
  await page.getByRole("banner").getByRole("link", { name: "Records" }).click();
  await page.getByRole("heading", { level: 1, name: "Records" }).waitFor();
  await page.getByRole("banner").getByRole("button", { name: "In use" }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
});
