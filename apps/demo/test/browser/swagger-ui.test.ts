import { openapi } from "@decern/openapi";
import { createServer } from "@decern/server";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch, shown, start, visit } from "./browser.js";
import { zoo, zooInput } from "./zoo.js";

const server = createServer({
  decisions: [zoo],
  profiles: { zoo: { minAge: 18 } },
  openapi: openapi({ enabled: true, info: { title: "The zoo", version: "1.0.0" } }),
  logger: false,
});
let browser: Browser;
let origin: string;

beforeAll(async () => {
  origin = await start(server);
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

it("shows the document, sends a request, and asks nobody but its own origin", async () => {
  const { page, requests, faults } = await visit(browser, `${origin}/swagger`);
  await page.getByRole("heading", { name: /The zoo/ }).waitFor();
  const operation = page.locator(".opblock-post");
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation
    .locator("textarea")
    .first()
    .fill(JSON.stringify({ input: zooInput }));
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await operation.getByRole("button", { name: "Execute" }).click();
  const response = await answered;
  expect(response.url()).toBe(`${origin}/decisions/zoo`);
  expect(await response.json()).toMatchObject({ status: "OK", meta: { matchedRule: "active" } });
  const live = operation.locator(".live-responses-table");
  expect(await shown(live.locator(".response-col_status").last())).toContain("200");
  expect(await shown(live)).toContain("matchedRule");
  for (const url of requests) {
    if (!url.startsWith("data:")) expect(new URL(url).origin).toBe(origin);
  }
  expect(faults).toEqual([]);
  await page.context().close();
});
