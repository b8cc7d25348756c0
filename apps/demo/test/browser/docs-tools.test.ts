import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { violations } from "./axe.js";
import { shown, useBrowser } from "./browser.js";
import { visits } from "./visits.js";

const run = promisify(execFile);
const site = useBrowser(
  createServer({
    decisions: [visits],
    profiles: { visits: { closedOn: "2026-12-25" }, "visits#quiet": { closedOn: "2026-07-01" } },
    callerProfiles: { visits: ["quiet"] },
    logger: false,
  }),
);

const copying = { permissions: ["clipboard-read", "clipboard-write"] };
const input = { day: "2026-07-01" };
const day = (page: Page) => page.getByRole("textbox", { name: "Day", exact: true });
const verdict = (page: Page) => page.locator(".outcome .decided > span");
const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true });
const profile = (page: Page) => page.getByRole("combobox", { name: "Profile" });

function shared(call: object, version = ""): string {
  return `/docs#/visits${version}?try=${Buffer.from(JSON.stringify(call)).toString("base64url")}`;
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate<string>("navigator.clipboard.readText()");
}

it("keeps a day and an instant in step with the browser's calendar", async () => {
  const { page, faults } = await site.visit(
    shared({ input: { day: "2026-07-01", arrival: "2026-07-01T09:30:00+02:00" } }),
  );
  const days = page.locator("input[type=date]");
  const instants = page.locator("input[type=datetime-local]");
  await expect.poll(() => days.inputValue()).toBe("2026-07-01");
  expect(await instants.inputValue()).toMatch(/^2026-07-01T09:30(:00)?$/);
  await page.getByText("YYYY-MM-DD", { exact: true }).waitFor();

  // From the calendar to the text, which keeps its offset.
  await days.fill("2026-12-25");
  await expect.poll(() => day(page).inputValue()).toBe("2026-12-25");
  await instants.fill("2026-12-24T18:05:00");
  const arrival = page.getByRole("textbox", { name: "Arrival", exact: true });
  await expect.poll(() => arrival.inputValue()).toBe("2026-12-24T18:05:00+02:00");
  await expect.poll(() => shown(verdict(page))).toBe("late-1 decided");

  // From the text to the calendar, which shows nothing for a text that is not a date.
  await day(page).fill("2026-08-02");
  await expect.poll(() => days.inputValue()).toBe("2026-08-02");
  await day(page).fill("2 August");
  await expect.poll(() => days.inputValue()).toBe("");
  await expect.poll(() => shown(page.locator(".call .field-error").first())).toContain("YYYY-MM-DD");
  expect(await day(page).inputValue()).toBe("2 August");

  await page.evaluate(
    `HTMLInputElement.prototype.showPicker = function () { document.body.dataset.opened = this.type; }`,
  );
  await page.getByRole("button", { name: "Choose Day in a calendar" }).press("Enter");
  expect(await page.locator("body").getAttribute("data-opened")).toBe("date");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page)).toEqual([]);
  }
  expect(faults).toEqual([]);
});

it("takes changes of the profile back, and leaves what was typed since", async () => {
  const { page } = await site.visit(shared({ input }));
  await expect.poll(() => shown(verdict(page))).toBe("open-day decided");
  expect(await undo(page).getAttribute("aria-disabled")).toBe("true");
  await profile(page).selectOption("quiet");
  await expect.poll(() => shown(verdict(page))).toBe("late-1 decided");
  await undo(page).click();
  await expect.poll(() => shown(verdict(page))).toBe("open-day decided");
  expect(await profile(page).inputValue()).toBe("");

  const override = page.getByRole("checkbox", { name: "Override profile" });
  await override.check();
  const closed = page.getByRole("textbox", { name: "Closed on" });
  await closed.press("End");
  for (const key of ["Backspace", "6"]) await closed.press(key);
  await expect.poll(() => closed.inputValue()).toBe("2026-12-26");
  await day(page).fill("2026-12-26");
  await expect.poll(() => shown(verdict(page))).toBe("late-1 decided");
  await undo(page).click();
  expect(await closed.inputValue()).toBe("2026-12-25");
  expect(await day(page).inputValue()).toBe("2026-12-26");
  await undo(page).click();
  expect(await override.isChecked()).toBe(false);
  expect(await day(page).inputValue()).toBe("2026-12-26");
  // The button keeps the focus: it is not removed when there is nothing left.
  expect(await undo(page).getAttribute("aria-disabled")).toBe("true");
  expect(await undo(page).evaluate((node) => node.ownerDocument.activeElement === node)).toBe(true);
});

it("shares a link with the version, and offers the call to the present one once that version is gone", async () => {
  const { page } = await site.visit(shared({ input }), copying);
  await expect.poll(() => shown(verdict(page))).toBe("open-day decided");
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("Link copied").waitFor();
  const link = await clipboard(page);
  expect(link).toContain("/docs#/visits/versions/1.4.0?try=");
  await page.context().close();
  const { page: opened, faults } = await site.visit(link);
  await expect.poll(() => shown(verdict(opened))).toBe("open-day decided");
  await day(opened).fill("2026-07-02");
  await expect.poll(() => opened.url()).toBe(`${site.origin}/docs#/visits/versions/1.4.0`);
  await opened.context().close();

  const { page: old } = await site.visit(shared({ input }, "/versions/1.3.0"));
  const way = old.getByRole("link", { name: "Try this call with version 1.4.0" });
  await way.waitFor();
  expect(await violations(old)).toEqual([]);
  await way.click();
  await expect.poll(() => shown(verdict(old))).toBe("open-day decided");
  expect(await day(old).inputValue()).toBe(input.day);
  expect(faults).toEqual([]);
});

it("copies an answer as a test that TypeScript and Vitest accept as it stands, and that fails for another answer", async () => {
  const { page } = await site.visit(shared({ input, profileName: "quiet" }), copying);
  await expect.poll(() => shown(verdict(page))).toBe("late-1 decided");
  const copies: string[] = [];
  for (const [text, said] of [
    [input.day, "late-1 decided"],
    ["2 July", "The input is not valid"],
  ] as const) {
    await day(page).fill(text);
    await expect.poll(() => shown(verdict(page))).toBe(said);
    await page.evaluate(`navigator.clipboard.writeText("")`);
    await page.getByRole("button", { name: /^(Copy as test|Test copied)$/ }).click();
    await expect.poll(() => clipboard(page)).toContain("import");
    copies.push(await clipboard(page));
  }
  await page.context().close();
  const [matched = "", invalid = ""] = copies;
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  // Below the demo, so that its packages are found.
  const folder = await mkdtemp(fileURLToPath(new URL("../copied-", import.meta.url)));
  try {
    await writeFile(`${folder}/vitest.config.js`, "export default {};");
    await writeFile(`${folder}/matched.test.ts`, matched);
    await writeFile(`${folder}/invalid.test.ts`, invalid);
    await writeFile(`${folder}/other.test.ts`, matched.replace('"open": false', '"open": true'));
    await writeFile(`${folder}/wrong.test.ts`, invalid.replace('"/day"', '"/night"'));
    const settings = { extends: "../../../../tsconfig.test.json", include: ["*.ts"] };
    await writeFile(`${folder}/tsconfig.json`, JSON.stringify(settings));
    await run(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", folder]);
    const vitest = `${root}/node_modules/vitest/vitest.mjs`;
    const ran = run(process.execPath, [vitest, "run", "--root", folder], { env: { NO_COLOR: "1" } });
    const { stdout } = await ran.then(
      () => ({ stdout: "nothing failed" }),
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toMatch(/Tests\s+2 failed \| 2 passed/);
    for (const name of ["other", "wrong"]) expect(stdout).toMatch(new RegExp(`❯ ${name}\\.test\\.ts`));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
