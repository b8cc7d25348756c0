import { openapi } from "@decern/openapi";
import { apiKeys, createServer } from "@decern/server";
import { expect, it } from "vitest";
import { violations } from "./axe.js";
import { shown, start, useBrowser } from "./browser.js";
import { zoo, zooInput } from "./zoo.js";

const server = createServer({
  decisions: [zoo],
  profiles: { zoo: { minAge: 18 } },
  openapi: openapi({ enabled: true, info: { title: "The zoo", version: "1.0.0" } }),
  logger: false,
});
const site = useBrowser(server);

it.each(["light", "dark"] as const)("has no axe violations in %s, on a phone", async (colorScheme) => {
  const viewport = { width: 390, height: 844 };
  const { page, faults } = await site.visit(`/swagger`, { viewport, colorScheme });
  const operation = page.locator(".opblock-post").first();
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  await operation.locator(".live-responses-table").waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  expect(await shown(page.locator(".servers"))).toContain(`${site.origin} - this service`);
  await page.getByRole("navigation", { name: "Service" }).getByRole("link", { name: "Decisions" }).click();
  await page.getByRole("navigation", { name: "Service" }).getByRole("link", { name: "Swagger UI" }).click();
  await page.getByRole("heading", { name: /The zoo/ }).waitFor();
  expect(faults).toEqual([]);
});

it("asks for the API key if one is required, and sends it with every call", async () => {
  const secured = createServer({
    decisions: [zoo],
    authenticate: apiKeys({ keys: ["s3cret"] }),
    openapi: openapi({ enabled: true }),
    logger: false,
  });
  const { page } = await site.visit(`${await start(secured)}/swagger`);
  await page.getByLabel("API key").fill("s3cret");
  await page.getByRole("button", { name: "Use key" }).click();
  const operation = page.locator(".opblock-post").first();
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await operation.getByRole("button", { name: "Execute" }).click();
  expect((await answered).status()).not.toBe(401);
  await page.context().close();
  await secured.close();
});

it("shows the document, sends a request, and contacts only its own origin", async () => {
  const { page, requests, faults } = await site.visit(`/swagger`);
  await page.getByRole("heading", { name: /The zoo/ }).waitFor();
  const operation = page.locator(".opblock-post").first();
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation
    .locator("textarea")
    .first()
    .fill(JSON.stringify({ input: zooInput }));
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await operation.getByRole("button", { name: "Execute" }).click();
  const response = await answered;
  expect(response.url()).toBe(`${site.origin}/decisions/zoo`);
  expect(await response.json()).toMatchObject({ status: "OK", meta: { matchedRule: "active" } });
  const live = operation.locator(".live-responses-table");
  await expect.poll(() => shown(live.locator(".response-col_status").last())).toContain("200");
  await expect.poll(() => shown(live)).toContain("matchedRule");
  for (const url of requests) {
    if (!url.startsWith("data:")) expect(new URL(url).origin).toBe(site.origin);
  }
  expect(faults).toEqual([]);
});
