import { openapi } from "@decern/openapi";
import { createServer } from "@decern/server";
import { expect, it } from "vitest";
import { MemoryLog } from "../../../../test/support/memory-log.js";
import { violations } from "./axe.js";
import { shown, useBrowser } from "./browser.js";
import { giveKey } from "./records-site.js";
import { zoo } from "./zoo.js";

let accepted: string | undefined = "k3y";
const server = createServer({
  decisions: [zoo],
  authenticate: ({ headers }) => accepted === undefined || headers["x-api-key"] === accepted,
  openapi: openapi({ enabled: true }),
  log: new MemoryLog(),
  records: true,
  logger: false,
});
const site = useBrowser(server);

it("asks once for docs, records and Swagger UI, with the focus on the field", async () => {
  const { page, faults } = await site.visit("/docs#/zoo");
  await page.locator("input[type=password]:focus").waitFor();
  await giveKey(page, "k3y");
  await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
  for (const path of ["/records", "/swagger", "/docs#/zoo"]) {
    await page.goto(`${site.origin}${path}`);
    await page.getByRole("banner").getByRole("button", { name: "In use" }).waitFor();
  }
  expect(page.url()).not.toContain("k3y");
  expect(faults).toEqual([]);
});

it("leads to the decisions, also from records that ask for a key, on a narrow phone", async () => {
  const { page } = await site.visit("/records", { viewport: { width: 320, height: 640 } });
  await page.locator("input[type=password]:focus").waitFor();
  const width = () => page.evaluate("document.documentElement.scrollWidth");
  expect(await width()).toBe(320);
  await page.getByRole("banner").getByRole("link", { name: "Decisions" }).waitFor();
  await giveKey(page, "k3y");
  await page.getByRole("heading", { level: 1, name: "Records" }).waitFor();
  expect(await width()).toBe(320);
  await page.getByRole("banner").getByRole("link", { name: "Decern" }).click();
  await page.getByRole("heading", { level: 1, name: "Decisions" }).waitFor();
});

it("notices a key that was taken back, wherever it is used next, and forgets it", async () => {
  const { page } = await site.visit("/docs#/zoo");
  await giveKey(page, "k3y");
  await page.getByRole("button", { name: "Evaluate", exact: true }).click();
  await page.getByText("HTTP 200").or(page.getByText("HTTP 400")).waitFor();
  accepted = "another";
  try {
    await page.getByRole("button", { name: "Evaluate", exact: true }).click();
    await page.getByText("The service does not accept this API key any more.").waitFor();
    expect(await page.getByRole("button", { name: "In use" }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByRole("heading", { name: "This service requires an API key" }).waitFor();
  } finally {
    accepted = "k3y";
  }
});

it("asks for a key that is needed only since the page was opened", async () => {
  accepted = undefined;
  const { page } = await site.visit("/docs#/zoo");
  try {
    await page.getByRole("button", { name: "Evaluate", exact: true }).waitFor();
  } finally {
    accepted = "k3y";
  }
  await page.getByRole("button", { name: "Evaluate", exact: true }).click();
  await page.getByText("The service requires an API key now.").waitFor();
  await page.getByRole("banner").getByLabel("API key").fill("k3y");
  await page.keyboard.press("Enter");
  await page.getByRole("banner").getByRole("button", { name: "In use" }).waitFor();
  await page.getByRole("button", { name: "Evaluate", exact: true }).click();
  await expect.poll(() => shown(page.locator(".status-line"))).toMatch(/HTTP (200|400)/);
});
