import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { shown } from "./browser.js";
import { giveKey, useRecords } from "./records-site.js";

const { apply, open, site } = useRecords();
const run = promisify(execFile);

let plain = "";
let masked = "";
let risky = "";

beforeAll(async () => {
  plain = await apply({
    at: "2026-03-03T08:00:00.000Z",
    version: "1.0.0",
    requestId: 'it\'s */ "quoted"',
    body: { input: { amount: 5000 } },
  });
  risky = await apply({
    at: "2026-03-03T09:00:00.000Z",
    body: { input: { amount: 5000, lateBills: 4 } },
  });
  masked = await apply({
    at: "2026-03-03T10:00:00.000Z",
    body: { input: { amount: 5000, lateBills: 4, applicant: { id: "p-1", name: "Ada" } } },
  });
});

const rerun = (page: Page): Locator =>
  page.getByRole("region", { name: "What would another version or profile say?" });

/** Presses the button, and waits for its reply: the finding before it stays on the page until then. */
async function evaluateAgain(page: Page): Promise<string> {
  const replied = page.waitForResponse(/\/evaluate$/);
  await page.getByRole("button", { name: "Evaluate again" }).click();
  await replied;
  return shown(rerun(page).locator(".finding"));
}

async function differences(page: Page): Promise<readonly string[]> {
  const rows = page.getByRole("table", { name: /as recorded, and as evaluated again/ }).getByRole("row");
  return (await rows.allInnerTexts()).slice(1).map((text) => text.replaceAll(/\s+/g, " ").trim());
}

const rulesOf = (page: Page, side: string): Promise<string> =>
  shown(page.getByRole("region", { name: side }).locator(".rungs"));

describe("evaluating again", () => {
  it("finds the same on the recorded version and profile", async () => {
    const { page, faults } = await open(`#/${risky}`);
    expect(await evaluateAgain(page)).toMatch(/^Unchanged\./);
    await expect
      .poll(() => differences(page))
      .toEqual([
        "Outcome OK OK Same",
        "Rule risky risky Same",
        "Reason The risk is high The risk is high Same",
        "Output approved false false Same",
      ]);
    await rerun(page).getByRole("region", { name: "Decisions used when evaluated again" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("shows side by side what another profile of the host would change", async () => {
    const { page } = await open(`#/${plain}`);
    await rerun(page).getByRole("combobox", { name: "Profile" }).selectOption("strict");
    expect(await evaluateAgain(page)).toMatch(/^Changed\./);
    await expect
      .poll(() => differences(page))
      .toEqual([
        "Outcome OK OK Same",
        "Rule small-enough too-much Changed",
        "Reason Within the limit More than 1000 USD Changed",
        "Output approved true false Changed",
      ]);
    await expect
      .poll(() => rulesOf(page, "Rules as recorded"))
      .toMatch(/too-much\s+Not matched\s+small-enough\s+Matched/);
    await expect
      .poll(() => rulesOf(page, "Rules evaluated again"))
      .toMatch(/too-much\s+Matched\s+More than 1000 USD/);
    // An outcome of other choices than those in the form would mislead.
    await rerun(page).getByRole("combobox", { name: "Profile" }).selectOption("As recorded");
    await expect.poll(() => rerun(page).locator(".comparison").count()).toBe(0);
  });

  it("shows what another version would change", async () => {
    const { page } = await open(`#/${plain}`);
    await expect
      .poll(() => rerun(page).getByRole("combobox", { name: "Version" }).locator("option").allInnerTexts())
      .toEqual(["1.0.0 (recorded)", "2.0.0 (default)", "3.0.0-beta+1"]);
    await rerun(page).getByRole("combobox", { name: "Version" }).selectOption("2.0.0");
    expect(await evaluateAgain(page)).toMatch(/^Changed\./);
    const rows = await differences(page);
    expect(rows[0]).toBe("Outcome OK INVALID INPUT Changed");
    expect(rows).toContainEqual(expect.stringMatching(/^Error at \/lateBills none .+ Changed$/));
    expect(rows).toContain("Output approved true none Changed");
  });

  it("takes a profile as JSON, starting from the recorded one", async () => {
    const { page } = await open(`#/${plain}`);
    await rerun(page).getByRole("combobox", { name: "Profile" }).selectOption("Edited");
    const editor = page.getByLabel("Profile as JSON");
    expect(JSON.parse(await editor.inputValue())).toEqual({ limit: 10_000 });
    await editor.fill('{"limit": ');
    await page.getByText(/^Not valid JSON/).waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Evaluate again" }).getAttribute("aria-disabled"))
      .toBe("true");
    await editor.fill('{"limit": 4999.5, "currency": "CHF"}');
    expect(await evaluateAgain(page)).toMatch(/^Changed\./);
    await expect
      .poll(() => differences(page))
      .toContain("Reason Within the limit More than 4999.5 CHF Changed");
    await editor.fill('{"limit": -1}');
    expect(await evaluateAgain(page)).toMatch(/^Changed\./);
    await expect.poll(() => differences(page)).toContain("Outcome OK INVALID PROFILE Changed");
  });

  it("is conclusive where no rule needed what was removed before writing", async () => {
    const { page } = await open(`#/${masked}`);
    expect(await evaluateAgain(page)).toMatch(/^Unchanged\..*No rule looked at the removed value\./);
  });

  it("says that nothing can be known where a rule may have needed it", async () => {
    const { page } = await open(`#/${masked}`);
    await page.route(/\/evaluate$/, async (route) => {
      const response = await route.fetch();
      const { unread: _unread, ...body } = await response.json();
      await route.fulfill({ json: { ...body, inconclusive: true } });
    });
    expect(await evaluateAgain(page)).toMatch(/^Inconclusive\./);
  });

  it("never says that something changed below Unchanged: other words are other words", async () => {
    const { page } = await open(`#/${risky}`);
    await page.route(/\/evaluate$/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.envelope.meta.explanation = "Too risky";
      await route.fulfill({ json: body });
    });
    expect(await evaluateAgain(page)).toMatch(/^Unchanged\..*in other words\./);
    await expect.poll(() => differences(page)).toContain("Reason The risk is high Too risky Reworded");
    expect(await rerun(page).locator("tr.changed").count()).toBe(0);
  });

  it("opens the recorded call in the form of its version", async () => {
    const { page } = await open(`#/${plain}`);
    await page.getByRole("link", { name: "Open in Try it" }).click();
    // The key came along.
    await expect.poll(() => page.getByRole("textbox", { name: "amount" }).inputValue()).toBe("5000");
    expect(new URL(page.url()).hash).toMatch(/^#\/loan\/versions\/1\.0\.0/);
  });

  it("says why the service refused", async () => {
    const { page } = await open(`#/${plain}`);
    await page.route(/\/evaluate$/, (route) =>
      route.fulfill({ status: 500, json: { error: "No such luck" } }),
    );
    await page.getByRole("button", { name: "Evaluate again" }).click();
    await expect.poll(() => shown(rerun(page).getByRole("alert"))).toBe("No such luck");
  });
});

it("is linked from the docs page where a call was recorded", async () => {
  const { page } = await site.visit("/docs#/loan/versions/1.0.0");
  await giveKey(page);
  await page.getByRole("button", { name: "Evaluate", exact: true }).click();
  await page.getByRole("link", { name: "Record of this call" }).click();
  await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();
  await expect.poll(() => shown(page.locator(".reason"))).toBe("Within the limit");
});

describe("copying", () => {
  async function copied(recordId: string, button: string): Promise<string> {
    const { page } = await open(`#/${recordId}`, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: button }).click();
    await page.getByText(/^(Example|Test) copied$/).waitFor();
    const text = await page.evaluate<string>("navigator.clipboard.readText()");
    await page.context().close();
    return text;
  }

  it("copies a call as an entry of meta.examples", async () => {
    expect(JSON.parse(await copied(risky, "Copy as example"))).toEqual({
      name: "loan: risky, 2026-03-03",
      input: { amount: 5000, lateBills: 4 },
      expect: { status: "OK", matchedRule: "risky" },
    });
  });

  it("copies a call as a test that TypeScript and Vitest accept, and that fails for another outcome", async () => {
    const root = fileURLToPath(new URL("../../../..", import.meta.url));
    // Below the demo, so that its packages are found.
    const folder = await mkdtemp(fileURLToPath(new URL("../copied-", import.meta.url)));
    const vitest = () =>
      run(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, "run", "--root", folder], {
        env: { NO_COLOR: "1" },
      });
    try {
      await writeFile(
        `${folder}/loan.ts`,
        `import { loans } from "../browser/loans.js";\nexport const [, loan] = loans;\n`,
      );
      await writeFile(`${folder}/vitest.config.js`, "export default {};");
      const test = await copied(risky, "Copy as test");
      await writeFile(`${folder}/loan.test.ts`, test);
      await writeFile(
        `${folder}/tsconfig.json`,
        JSON.stringify({
          extends: "../../../../tsconfig.test.json",
          include: ["*.ts"],
        }),
      );
      await run(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", folder]);
      expect((await vitest()).stdout).toContain("1 passed");
      await writeFile(`${folder}/loan.test.ts`, test.replace('"approved": false', '"approved": true'));
      await expect(vitest()).rejects.toMatchObject({ stdout: expect.stringContaining("1 failed") });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("tells what a copy lacks", async () => {
    const text = await copied(masked, "Copy as test");
    expect(text).toContain('// Removed before writing: "/input/applicant/name"');
    expect(text).not.toContain("Ada");
  });
});
