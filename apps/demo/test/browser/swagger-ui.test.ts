import { openapi } from "@decern/openapi";
import { createServer } from "@decern/server";
import { expect, it } from "vitest";
import { shown, useBrowser } from "./browser.js";
import { zoo, zooInput } from "./zoo.js";

const server = createServer({
  decisions: [zoo],
  profiles: { zoo: { minAge: 18 } },
  openapi: openapi({ enabled: true, info: { title: "The zoo", version: "1.0.0" } }),
  logger: false,
});
const site = useBrowser(server);

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
  await page.context().close();
});
