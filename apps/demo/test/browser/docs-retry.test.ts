import { createServer } from "@decern/server";
import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { formLoaded, problems, shown, useBrowser } from "./browser.js";
import { zoo } from "./zoo.js";

const site = useBrowser(createServer({ decisions: [zoo], profiles: { zoo: { minAge: 18 } }, logger: false }));

const tryAgain = (page: Page) => page.getByRole("button", { name: "Try again" });
const focused = (page: Page) => page.evaluate("document.activeElement.id");

/** Lets the first request fail. */
async function failOnce(page: Page, url: string, fail: (route: Route) => Promise<void>): Promise<void> {
  await page.route(url, fail, { times: 1 });
}

it("loads the decisions again when asked to, and puts the focus on them", async () => {
  const { page } = await site.visit("about:blank");
  await failOnce(page, "**/docs/catalogue.json", (route) => route.abort());
  await page.goto(`${site.origin}/docs`);
  expect(await shown(page.getByRole("alert"))).toBe("Couldn't reach the service");
  expect(await problems(page)).toEqual([]);
  await tryAgain(page).press("Enter");
  await page.getByRole("link", { name: "zoo" }).waitFor();
  await expect.poll(() => focused(page)).toBe("main");
});

it("loads a decision again when asked to, and puts the focus on it", async () => {
  const { page } = await site.visit("about:blank");
  await failOnce(page, "**/docs/decisions/zoo", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto(`${site.origin}/docs#/zoo`);
  expect(await shown(page.getByRole("alert"))).toBe("The service replied with status 503");
  expect(await problems(page)).toEqual([]);
  await tryAgain(page).press("Enter");
  await formLoaded(page);
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await focused(page)).toBe("main");
});

it("does not offer to try again what cannot succeed", async () => {
  const { page } = await site.visit("/docs#/nothing-like-it");
  expect(await shown(page.getByRole("alert"))).toBe("Decision not found: nothing-like-it");
  expect(await tryAgain(page).count()).toBe(0);
});

it("says on a phone, too, that a decision is loading while the list of all is", async () => {
  const { page } = await site.visit("about:blank", { viewport: { width: 390, height: 844 } });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/docs/catalogue.json", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${site.origin}/docs#/zoo`);
  await page.getByText("Loading zoo…", { exact: true }).waitFor();
  release();
  await formLoaded(page);
});
