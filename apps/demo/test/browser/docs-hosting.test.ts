import { createServer as createProxy, request as forward } from "node:http";
import { defineDecision } from "@decern/core";
import { createServer } from "@decern/server";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type Listening, listening } from "../support/listening.js";
import { violations } from "./axe.js";
import { launch, openTab, shown, start, visit } from "./browser.js";
import { zoo } from "./zoo.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Forwards `/tools/decern/…` to an origin without the prefix, and returns 404 for everything else. */
function proxyTo(origin: string): Promise<Listening> {
  const proxy = createProxy((request, response) => {
    const [, path] = /^\/tools\/decern(\/.*)$/.exec(request.url ?? "") ?? [];
    if (path === undefined) {
      response.writeHead(404).end();
      return;
    }
    request.pipe(
      forward(origin + path, { method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  return listening(proxy, "localhost");
}

it.each(["/docs", "/docs/", "/"])(
  "works behind a path prefix, opened at %s, and requests nothing outside it",
  async (path) => {
    const server = createServer({ decisions: [zoo], logger: false });
    const proxy = await proxyTo(await start(server));
    const { page, requests, faults } = await visit(browser, `${proxy.url}/tools/decern${path}`);
    await page.getByRole("link", { name: "zoo" }).click();
    await page.getByRole("button", { name: "Evaluate" }).click();
    await page.locator(".status").waitFor();
    await openTab(page, "Call it");
    expect(await shown(page.getByRole("region", { name: "curl command" }))).toContain(
      `${proxy.url}/tools/decern/decisions/zoo`,
    );
    await expect.poll(() => requests).toContain(`${proxy.url}/tools/decern/decisions/zoo`);
    for (const url of requests) {
      if (!url.startsWith("data:image/svg+xml")) expect(url).toMatch(`${proxy.url}/tools/decern/`);
    }
    expect(faults).toEqual([]);
    await page.context().close();
    await proxy.close();
    await server.close();
  },
);

it("works with 500 decisions: finds each, and loads only the opened one", async () => {
  const decisions = Array.from({ length: 500 }, (_, index) =>
    defineDecision({
      id: `decision-${index}`,
      version: "1.0.0",
      description: `The ${index}th of many decisions, about things of kind ${index % 7}`,
      inputSchema: z.object({ value: z.number() }),
      outputSchema: z.object({ value: z.number() }),
      profileSchema: z.object({}),
      rules: [{ id: "same", when: () => true, emit: (input) => ({ value: input.value }) }],
    }),
  );
  const server = createServer({ decisions, logger: false });
  const origin = await start(server);
  const { page, requests, faults } = await visit(browser, `${origin}/docs`);
  await page.getByText("500 decisions", { exact: true }).waitFor();
  const loaded = () => requests.filter((url) => url.includes("/docs/decisions/"));
  await page.getByRole("searchbox").fill("decision-499");
  await expect.poll(() => page.locator(".cards a").count()).toBe(1);
  await page.getByRole("link", { name: "decision-499" }).click();
  await page.getByRole("heading", { level: 1, name: "decision-499" }).waitFor();
  await page.getByLabel("value").fill("12");
  await page.getByRole("button", { name: "Evaluate" }).click();
  await expect.poll(() => shown(page.locator("dl.data"))).toContain("12");
  expect(loaded()).toEqual([`${origin}/docs/decisions/decision-499`]);
  expect(faults).toEqual([]);
  await page.context().close();
  await server.close();
});

it("asks for the API key if one is required, sends it as x-api-key, and keeps it in this tab only", async () => {
  const server = createServer({
    decisions: [zoo],
    authenticate: (request) => request.headers["x-api-key"] === "s3cret",
    logger: false,
  });
  const origin = await start(server);
  const { page, requests, faults } = await visit(browser, `${origin}/docs#/zoo`);
  await page.getByRole("heading", { name: "This service requires an API key" }).waitFor();
  await page.getByLabel("API key").fill("wrong");
  await page.getByRole("button", { name: "Use key" }).click();
  // The form is a new one, and takes the focus, once the service has refused the key.
  await page.getByRole("heading", { name: "The API key was refused" }).waitFor();
  await page.locator("input[type=password][aria-invalid=true]:focus").waitFor();
  await page.getByLabel("API key").fill("s3cret");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
  await page.getByRole("button", { name: "Evaluate" }).click();
  await page
    .locator(".status-line")
    .getByText(/HTTP (200|400)/)
    .waitFor();
  await openTab(page, "Call it");
  expect(await shown(page.getByRole("region", { name: "curl command" }))).toContain(
    "x-api-key: $DECERN_API_KEY",
  );
  expect(await page.content()).not.toContain("s3cret");
  expect(requests.join()).not.toContain("s3cret");
  // It stays in this tab, through a reload, and nowhere else.
  const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, document.cookie])");
  expect(kept).not.toContain("s3cret");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
  const { page: other } = await visit(browser, page.url());
  await other.getByRole("heading", { name: "This service requires an API key" }).waitFor();
  await other.context().close();
  expect(faults).toEqual([]);
  await page.context().close();
  await server.close();
});

it("reports a refused key, accepts another attempt, and restores the focus", async () => {
  const known = new Set(["first"]);
  const server = createServer({
    decisions: [zoo],
    authenticate: (request) => known.has(String(request.headers["x-api-key"])),
    logger: false,
  });
  const { page, faults } = await visit(browser, `${await start(server)}/docs#/zoo`);
  await page.getByRole("heading", { name: "This service requires an API key" }).waitFor();
  await page.getByLabel("API key").fill("second");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "The API key was refused" }).waitFor();
  expect(await shown(page.getByRole("alert"))).toBe(
    "The service refused this key (Authentication required). Check the key and try again.",
  );
  expect(await page.getByRole("button", { name: "In use" }).count()).toBe(0);
  await page.locator("input[type=password][aria-invalid=true]:focus").waitFor();
  expect(await violations(page)).toEqual([]);
  // Submitting the same key again sends another request.
  known.add("second");
  await page.getByRole("button", { name: "Use key" }).click();
  await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
  await page.getByRole("button", { name: "In use" }).waitFor();
  await page.locator("#main:focus").waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
  await server.close();
});

it("reports a reply that is not from the service", async () => {
  const server = createServer({ decisions: [zoo], logger: false });
  const origin = await start(server);
  const { page } = await visit(browser, `${origin}/health/live`);
  await page.route(`${origin}/docs/catalogue.json`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Sign in</h1>" }),
  );
  await page.goto(`${origin}/docs`);
  expect(await shown(page.getByRole("alert"))).toMatch(/^The response is not JSON\./);
  await page.context().close();
  await server.close();
});

it("offers no profile override if the service does not accept one", async () => {
  const server = createServer({ decisions: [zoo], profileOverride: false, logger: false });
  const { page } = await visit(browser, `${await start(server)}/docs#/zoo`);
  await page.getByText("Callers cannot override the profile on this service.").waitFor();
  expect(await page.getByRole("checkbox", { name: "Override profile" }).count()).toBe(0);
  await page.context().close();
  await server.close();
});
