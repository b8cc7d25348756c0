import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { violations } from "./axe.js";
import {
  choose,
  formLoaded,
  openTab,
  pressEvaluate,
  problems,
  shown,
  useBrowser,
  type Visit,
} from "./browser.js";
import { chain, loanProfiles, loans, loanVersions } from "./loans.js";

const site = useBrowser(
  createServer({
    liveDocs: false,
    decisions: loans,
    versions: { loan: loanVersions },
    profiles: loanProfiles,
    callerProfiles: { loan: ["strict"] },
    logger: false,
  }),
);

async function open(path = "/docs#/loan"): Promise<Visit> {
  const opened = await site.visit(path);
  await formLoaded(opened.page);
  return opened;
}

const versionMenu = (page: Page) => page.getByRole("combobox", { name: "Version" });
const profileMenu = (page: Page) => page.getByRole("combobox", { name: "Profile" });

/** Evaluates, and returns the path and the body of the request. */
async function evaluate(page: Page): Promise<{ readonly path: string; readonly body: unknown }> {
  const request = (await pressEvaluate(page)).request();
  return { path: new URL(request.url()).pathname, body: request.postDataJSON() };
}

async function rules(page: Page): Promise<readonly string[]> {
  const items = page.getByRole("region", { name: "Rules, in order" }).getByRole("listitem");
  return (await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
}

const isFocused = (menu: ReturnType<typeof versionMenu>) =>
  menu.evaluate((node) => node.ownerDocument.activeElement === node);

describe("the version menu", () => {
  it("lists every version, with the default and the end of deprecated ones", async () => {
    const { page, faults } = await open();
    expect(await versionMenu(page).locator("option").allInnerTexts()).toEqual([
      "1.0.0 (deprecated 2026-01-31, sunset 2096-06-30)",
      "2.0.0 (default)",
      "3.0.0-beta+1",
    ]);
    expect(await versionMenu(page).inputValue()).toBe("2.0.0");
    expect((await evaluate(page)).path).toBe("/docs/decisions/loan");
    expect(faults).toEqual([]);
  });

  it("loads the schemas, rules, profile and examples of a version, and evaluates that version", async () => {
    const { page, faults } = await open();
    await versionMenu(page).selectOption("1.0.0");
    await page.getByRole("button", { name: "Small loan" }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe("#/loan/versions/1.0.0");
    await expect.poll(() => page.title()).toBe("loan 1.0.0 · Decisions");
    await page.getByText("Decides by the amount alone", { exact: true }).waitFor();
    await page.getByText("POST /decisions/loan/versions/1.0.0", { exact: true }).waitFor();
    expect(await rules(page)).toEqual(["too-much", "small-enough"]);
    expect(await page.getByLabel("lateBills").count()).toBe(0);
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual([expect.stringContaining("amount")]);
    expect(await evaluate(page)).toEqual({
      path: "/decisions/loan/versions/1.0.0",
      body: { input: { amount: 500 } },
    });
    expect(await rules(page)).toEqual(["too-much Not matched", "small-enough Matched Within the limit"]);
    await openTab(page, "Call it");
    expect(await shown(page.getByRole("region", { name: "curl command" }))).toContain(
      `${site.origin}/decisions/loan/versions/1.0.0`,
    );
    await page.goBack();
    await page.getByRole("button", { name: "Pays late" }).waitFor();
    expect(await versionMenu(page).inputValue()).toBe("2.0.0");
    expect(faults).toEqual([]);
  });

  it("tells when a deprecated version goes away, and links to the page about it", async () => {
    const { page } = await open("/docs#/loan/versions/1.0.0");
    const note = page.locator(".deprecated");
    expect(await shown(note)).toBe(
      "Version 1.0.0 has been deprecated since 2026-01-31. Its sunset is on 2096-06-30; after that it may stop replying. Read about this deprecation",
    );
    expect(await note.getByRole("link").getAttribute("href")).toBe("https://example.com/loans");
    await versionMenu(page).selectOption("3.0.0-beta+1");
    await page.getByRole("button", { name: "Anybody" }).waitFor();
    expect(await note.count()).toBe(0);
  });

  it("keeps the keyboard focus while versions load", async () => {
    const { page, faults } = await open();
    await versionMenu(page).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("button", { name: "Anybody" }).waitFor();
    expect(await isFocused(versionMenu(page))).toBe(true);
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Small loan" }).waitFor();
    expect(await isFocused(versionMenu(page))).toBe(true);
    expect(faults).toEqual([]);
  });

  it("shares a link that restores the version and the profile", async () => {
    const opened = await site.visit("/docs#/loan/versions/3.0.0-beta%2B1", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = opened;
    await page.getByLabel("name").fill("Grace");
    await profileMenu(page).selectOption("strict");
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("Link copied").waitFor();
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(link).toContain("#/loan/versions/3.0.0-beta%2B1?try=");
    const { page: other, faults } = await open(link);
    expect(await versionMenu(other).inputValue()).toBe("3.0.0-beta+1");
    // A link shows its outcome by itself.
    expect(await shown(other.locator(".outcome .status"))).toBe("OK");
    expect(await evaluate(other)).toEqual({
      path: "/decisions/loan/versions/3.0.0-beta%2B1",
      body: { input: { name: "Grace" }, profileName: "strict" },
    });
    await versionMenu(other).selectOption("1.0.0");
    await other.getByRole("button", { name: "Small loan" }).waitFor();
    expect(faults).toEqual([]);
    await other.context().close();
  });

  it("says that a version is not there, and lets the user choose another", async () => {
    const { page } = await site.visit("/docs#/loan/versions/9.9.9");
    expect(await shown(page.getByRole("alert"))).toBe("Version not found: 9.9.9");
    expect(await versionMenu(page).locator("option:checked").allInnerTexts()).toEqual([
      "9.9.9 (not available)",
    ]);
    await versionMenu(page).selectOption("2.0.0");
    await page.getByRole("button", { name: "Pays late" }).waitFor();
  });
});

describe("named profiles", () => {
  it("offers those that the host lists, shows the chosen one and sends its name", async () => {
    const { page, faults } = await open();
    expect(await profileMenu(page).locator("option").allInnerTexts()).toEqual(["default", "strict"]);
    await profileMenu(page).selectOption("strict");
    const profile = page.getByRole("region", { name: "Profile strict" });
    expect(await shown(profile)).toMatch(/^limit\s+1000\s+currency\s+USD$/);
    const { body } = await evaluate(page);
    expect(body).toEqual({ input: { amount: 5000, lateBills: 0 }, profileName: "strict" });
    expect((await rules(page))[0]).toBe("too-much Matched More than 1000 USD");
    await profileMenu(page).selectOption("default");
    await page.getByText("The form has changed. Evaluate again.").waitFor();
    expect((await evaluate(page)).body).toEqual({ input: { amount: 5000, lateBills: 0 } });
    expect((await rules(page))[0]).toBe("too-much Not matched");
    expect(faults).toEqual([]);
  });

  it("sends no name with a profile that replaces the host's, and starts from the chosen one", async () => {
    const { page } = await open();
    await profileMenu(page).selectOption("strict");
    await page.getByRole("checkbox", { name: "Override profile" }).check();
    await page.getByLabel("limit", { exact: true }).fill("6000");
    expect((await evaluate(page)).body).toEqual({
      input: { amount: 5000, lateBills: 0 },
      profile: { limit: 6000, currency: "USD" },
    });
    expect((await rules(page))[0]).toBe("too-much Not matched");
  });
});

describe("profiles that are merged", () => {
  const merging = useBrowser(
    createServer({
      decisions: loans,
      versions: { loan: loanVersions },
      profiles: loanProfiles,
      callerProfiles: { loan: ["strict"] },
      profileOverride: "merge",
      logger: false,
    }),
  );

  it("shows the host's profile, explains the merge, and sends only the fields that the user set", async () => {
    const { page, faults } = await merging.visit("/docs#/loan/versions/1.0.0");
    await page.getByText(/^The service merges the fields that you set into its own profile\./).waitFor();
    await profileMenu(page).selectOption("strict");
    await page.getByRole("checkbox", { name: "Override profile" }).check();
    await page.getByRole("region", { name: "Profile strict" }).waitFor();
    await page.getByLabel("limit", { exact: true }).fill("400");
    expect((await evaluate(page)).body).toEqual({
      input: { amount: 500 },
      profile: { limit: 400 },
      profileName: "strict",
    });
    expect((await rules(page))[0]).toBe("too-much Matched More than 400 USD");
    expect(await violations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe("a host that chooses the version of each call", () => {
  const choosing = useBrowser(
    createServer({
      decisions: loans,
      versions: { loan: { ...loanVersions, select: () => "1.0.0" } },
      profiles: loanProfiles,
      logger: false,
    }),
  );

  it("can choose on the page too, which then says which version it was and shows that version's rules", async () => {
    const { page, faults } = await choosing.visit("/docs#/loan");
    await page.getByRole("button", { name: "Pays late" }).waitFor();
    expect(await versionMenu(page).locator("option:checked").allInnerTexts()).toEqual([
      "Let the service choose",
    ]);
    await evaluate(page);
    expect(await rules(page)).toEqual(["too-much Not matched", "small-enough Matched Within the limit"]);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Show version 1.0.0" }).click();
    await page.getByRole("button", { name: "Small loan" }).waitFor();
    await versionMenu(page).selectOption("2.0.0");
    await page.getByRole("button", { name: "Pays late" }).waitFor();
    expect((await evaluate(page)).path).toBe("/docs/decisions/loan/versions/2.0.0");
    expect(await page.getByText("The service chose").count()).toBe(0);
    await versionMenu(page).selectOption("Let the service choose");
    await expect.poll(() => new URL(page.url()).hash).toBe("#/loan");
    expect(faults).toEqual([]);
  });
});

describe("the decisions that a decision uses", () => {
  it("shows each evaluation with its ladder, input and result, nested and collapsible", async () => {
    const { page, faults } = await open();
    await page.getByText("credit-risk 2.0.1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pays late" }).click();
    await evaluate(page);
    expect((await rules(page))[1]).toBe("risky Matched The risk is high");
    const used = page.getByRole("region", { name: "Decisions used" });
    const risk = used.locator("details").first();
    expect(await shown(risk.locator("summary").first())).toMatch(/^credit-risk\s+2\.0\.1\s+OK$/);
    expect(await shown(risk.locator(".rungs").first())).toMatch(
      /^few-points\s+Matched\s+Fewer than 600 points$/,
    );
    const code = (name: string) => page.getByRole("region", { name, exact: true });
    expect(JSON.parse(await shown(code("Input of 1 credit-risk")))).toEqual({ lateBills: 4 });
    expect(JSON.parse(await shown(code("Result of 1 credit-risk")))).toEqual({ high: true });
    const points = risk.locator("details");
    expect(await shown(points.locator("summary"))).toMatch(/^credit-points\s+1\.3\.0\s+OK$/);
    expect(await shown(points.locator(".rungs"))).toMatch(
      /^no-bills\s+Not matched\s+counted\s+Matched\s+4 late bills$/,
    );
    expect(JSON.parse(await shown(code("Result of 1.1 credit-points")))).toEqual({ points: 500 });
    await points.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => points.locator(".rungs").count()).toBe(0);
    await page.keyboard.press("Enter");
    await points.locator(".rungs").waitFor();
    // The JSON view shows the envelope that the service sends to everybody else.
    await choose(page.getByRole("region", { name: "Outcome", exact: true }), "JSON");
    expect(JSON.parse(await shown(code("Body of the reply")))).toMatchObject({
      status: "OK",
      data: { approved: false },
      meta: { decisionVersion: "2.0.0" },
    });
    expect(faults).toEqual([]);
  });

  it("asks for no trace where a decision uses no other", async () => {
    const { page } = await open("/docs#/loan/versions/1.0.0");
    expect((await evaluate(page)).path).toBe("/decisions/loan/versions/1.0.0");
    expect(await page.getByRole("region", { name: "Decisions used" }).count()).toBe(0);
  });
});

describe("looks", () => {
  const deep = useBrowser(createServer({ decisions: chain, logger: false }));

  it("fits a phone however deep decisions use one another", async () => {
    const viewport = { width: 320, height: 700 };
    const { page, faults } = await deep.visit("/docs#/level-15-of-the-chain", { viewport });
    await page.getByRole("button", { name: "Evaluate" }).waitFor();
    await evaluate(page);
    const innermost = page.getByRole("region", { name: /^Input of (1\.){14}1 level-0-of-the-chain$/ });
    expect(await shown(innermost)).toContain("depth");
    expect((await innermost.boundingBox())?.width).toBeGreaterThan(60);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(viewport.width);
    expect(faults).toEqual([]);
  });

  const screens = [
    { name: "desktop", viewport: { width: 1360, height: 900 } },
    { name: "phone", viewport: { width: 360, height: 740 } },
  ] as const;
  it.each(screens)(
    "has no accessibility violations and fits a $name, in light and dark",
    async ({ viewport }) => {
      const { page } = await site.visit("/docs#/loan/versions/2.0.0", { viewport });
      await page.getByRole("button", { name: "Pays late" }).click();
      await evaluate(page);
      await page.getByRole("region", { name: "Decisions used" }).waitFor();
      expect(await problems(page)).toEqual([]);
      await versionMenu(page).selectOption("1.0.0");
      await page.locator(".deprecated").waitFor();
      expect(await problems(page)).toEqual([]);
      await page.context().close();
    },
  );
});
