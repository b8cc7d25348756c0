import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { explain } from "@decern/explain";
import { openapi } from "@decern/openapi";
import { createServer } from "@decern/server";
import { afterAll, expect, it } from "vitest";
import { violations } from "./axe.js";
import { useFirefox } from "./firefox.js";
import { shipping } from "./tables.js";
import { zoo, zooInput } from "./zoo.js";

const directory = mkdtempSync(join(tmpdir(), "decern-firefox-"));
const log = decisionLog({ store: ndjsonFiles(directory), build: "4f2c9e1" });
const site = useFirefox(
  createServer({
    log,
    authenticate: () => ({ caller: "tester" }),
    records: true,
    decisions: [zoo, shipping],
    profiles: { zoo: { minAge: 18 } },
    openapi: openapi({ enabled: true, info: { title: "The zoo", version: "1.0.0" } }),
    explain: explain(),
    liveDocs: true,
    logger: false,
  }),
);

afterAll(async () => {
  await log.close();
  await rm(directory, { recursive: true });
});

it("finds a decision, and evaluates it", async () => {
  const { page, faults } = await site.open("/");
  await page.locator("input[type=search]").fill("too-young");
  await page.locator(".found-by ::-p-text(rule: too-young)").wait();
  expect(await violations(page)).toEqual([]);
  await page.locator(".cards a").click();
  await page.locator("form.call").wait();
  const call = Buffer.from(JSON.stringify({ input: { ...zooInput, age: 12 } })).toString("base64url");
  // A change of the fragment alone loads nothing, so there would be nothing to wait for.
  await page.evaluate(`location.hash = "#/zoo?try=${call}"`);
  await page
    .locator("[id='input/age']")
    .filter((field) => "value" in field && field.value === "12")
    .wait();
  await page.locator("button.primary").click();
  await page.locator(".outcome ::-p-text(Age 12 is below 18)").wait();
  await page.locator("[id='input/age']").fill("30");
  await page.locator(".outcome ::-p-text(Plan plus is active)").wait();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

it("marks the cells of a table, and finds its gap", async () => {
  const { page, faults } = await site.open("/docs#/shipping-fee");
  await page.locator(".grid-row.decides ::-p-text(Decides)").wait();
  await page.locator(".grid-row.missed ::-p-text(1 ≤ 2)").wait();
  await page.locator(".grid-row.gap button").click();
  await page.locator(".outcome ::-p-text(No rule matched)").wait();
  await page.locator(".grid-row.near ::-p-text(> 30)").wait();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

it("edits a copy of a table", async () => {
  const { page, faults } = await site.open("/docs#/shipping-fee");
  await page.locator("button ::-p-text(Edit a copy)").click();
  await page.locator(".draft-card ::-p-text(Every cell can be read.)").wait();
  await page.locator(".edit-grid [data-row='0'] [data-column='4']").click();
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await page.locator(".draft-card ::-p-text(change.)").wait();
  await page.keyboard.type("x +");
  await page.locator(".edit-grid textarea[aria-invalid=true]").wait();
  await page.keyboard.press("Escape");
  await page.keyboard.down("Control");
  await page.keyboard.press("z");
  await page.keyboard.up("Control");
  await page.locator(".draft-card ::-p-text(have the same result.)").wait();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

it("sends a request from Swagger UI", async () => {
  const { page, faults } = await site.open("/swagger");
  await page.locator(".opblock-post .opblock-summary-control").click();
  await page.locator(".try-out__btn").click();
  await page.locator(".execute").click();
  await page.locator(".live-responses-table .response-col_status").wait();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});

it("finds a record, and shows it", async () => {
  const reply = await fetch(`${site.origin}/decisions/zoo`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: zooInput }),
  });
  const id = reply.headers.get("decern-record-id");
  await log.flush();
  const { page, faults } = await site.open(`/records#/${id}`);
  await page.locator("main ::-p-text(Plan plus is active)").wait();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await page.close();
});
