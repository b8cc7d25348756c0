import { metrics } from "@decern/metrics";
import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { choose, example, formLoaded, pressEvaluate, shown, useBrowser } from "./browser.js";

const server = createServer({
  decisions: defaultDecisions,
  profiles,
  metrics: metrics({ enabled: true }),
  logger: false,
});
const site = useBrowser(server);

const verdict = (page: Page) => page.locator(".outcome .decided > span");
const counted = () =>
  server.metrics?.getCounter("engine_evaluations_total", { decision_id: "loan-approval", status: "OK" });

it("shows a verdict and its reason on opening, and another one while somebody edits, and counts none", async () => {
  const { page, requests, faults } = await site.visit("/docs#/loan-approval");
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
  await page.getByRole("textbox", { name: "Credit score" }).fill("580");
  await expect.poll(() => shown(verdict(page))).toBe("score-too-low decided");
  expect(await shown(page.locator(".outcome .reason"))).toBe("Score 580 is below 620");
  await page.getByText("Live preview").waitFor();
  expect(requests.filter((url) => url.endsWith("/decisions/loan-approval") && isCall(url))).toEqual([]);
  expect(counted()).toBe(0);
  await pressEvaluate(page);
  expect(await shown(verdict(page))).toBe("score-too-low decided");
  expect(await page.getByText("Live preview").count()).toBe(0);
  expect(counted()).toBe(1);
  expect(faults).toEqual([]);
});

/** Whether a URL is that of an ordinary call, and not one of the page's own. */
function isCall(url: string): boolean {
  return !url.includes("/docs/");
}

it("shows errors at their fields while somebody edits, and leaves the focus where it is", async () => {
  const { page } = await site.visit("/docs#/loan-approval");
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
  const country = page.getByRole("textbox", { name: "Country" });
  await country.fill("Greece");
  await expect.poll(() => shown(verdict(page))).toBe("The input is not valid");
  await expect.poll(() => country.getAttribute("aria-invalid")).toBe("true");
  expect(await country.evaluate((node) => node.ownerDocument.activeElement === node)).toBe(true);
  // No rule was reached, so none is said not to be.
  expect(await page.locator(".ladder").getByText("Not reached").count()).toBe(0);
  await country.fill("GR");
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
  expect(await country.getAttribute("aria-invalid")).toBe("false");
});

it("does not send what cannot be sent, and says of which call the outcome is", async () => {
  const { page } = await site.visit("/docs#/loan-approval");
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
  await choose(page.getByRole("group", { name: "Input as" }), "JSON");
  await page.getByLabel("Input as JSON").fill('{"amount": ');
  await page.getByText("This is the outcome of the last call that could.").waitFor();
  expect(await shown(verdict(page))).toBe("prime decided");
});

it("says what each rule is for before anything has run", async () => {
  const { page } = await site.visit("/docs#/loan-approval");
  await page.route("**/docs/live/**", () => {});
  await page.reload();
  await formLoaded(page);
  const ladder = page.getByRole("region", { name: "Rules, in order" });
  await ladder.getByText("The credit score must reach the policy's lowest score", { exact: true }).waitFor();
  expect(await page.locator(".outcome .decided").count()).toBe(0);
});

it("runs every example, shows which came out as expected, and counts none of them", async () => {
  for (const { id, meta } of defaultDecisions) {
    const { page, faults } = await site.visit(`/docs#/${id}`);
    await page.getByRole("button", { name: "Run all" }).click();
    const listed = meta?.["examples"];
    const count = Array.isArray(listed) ? listed.length : 0;
    await page.getByText(`${count} of ${count} as expected`, { exact: true }).waitFor();
    expect(await page.locator(".chip.proved").count()).toBe(count);
    expect(faults).toEqual([]);
    await page.context().close();
  }
  expect(counted()).toBe(1);
});

it("shows which example came out differently", async () => {
  const { page } = await site.visit("/docs#/loan-approval");
  await page.route("**/docs/live/decisions/loan-approval", async (route) => {
    const call = route.request().postDataJSON();
    if (call.input.country !== "GB") await route.continue();
    else
      await route.continue({
        postData: JSON.stringify({ ...call, input: { ...call.input, country: "KP" } }),
      });
  });
  await page.getByRole("button", { name: "Run all" }).click();
  const chip = example(page, "Our best rate");
  await expect.poll(() => shown(chip)).toMatch(/blocked-country instead of\s+prime$/);
});

it("shows the verdict and the button at once on a phone, wherever the page is scrolled to", async () => {
  const { page } = await site.visit("/docs#/loan-approval", { viewport: { width: 390, height: 844 } });
  const glance = page.locator(".glance");
  const button = page.getByRole("button", { name: "Evaluate", exact: true });
  await expect.poll(() => shown(glance)).toMatch(/^Approved · 4\.9 % a year\s+prime: Score 765/);
  for (const place of [
    "0",
    "document.documentElement.scrollHeight / 2",
    "document.documentElement.scrollHeight",
  ]) {
    await page.evaluate(`scrollTo(0, ${place})`);
    for (const element of [glance, button]) {
      const box = await element.boundingBox();
      expect(box === null ? undefined : box.y >= 0 && box.y + box.height <= 844, place).toBe(true);
    }
  }
  await page.evaluate("scrollTo(0, 0)");
  await example(page, "Score too low").click();
  await expect.poll(() => shown(glance)).toMatch(/^Declined\s+score-too-low: Score 580 is below 620$/);
  await glance.click();
  await expect.poll(async () => (await verdict(page).boundingBox())?.y ?? 9999).toBeLessThan(400);
});

it("marks what differs from the host's profile, and takes it back", async () => {
  const { page } = await site.visit("/docs#/loan-approval");
  await page.getByRole("checkbox", { name: "Override profile" }).check();
  const lowest = page.getByRole("textbox", { name: "Lowest score" });
  expect(await page.getByRole("button", { name: "Reset Lowest score" }).count()).toBe(0);
  await lowest.fill("800");
  await expect.poll(() => shown(verdict(page))).toBe("score-too-low decided");
  await page.getByRole("button", { name: "Reset Lowest score" }).click();
  expect(await lowest.inputValue()).toBe("620");
  await expect.poll(() => shown(verdict(page))).toBe("prime decided");
});

it("takes a shared call out of the address once the form has another one, and says when it cannot be read", async () => {
  const input = { ...firstInput(), amount: 1 };
  const call = Buffer.from(JSON.stringify({ input })).toString("base64url");
  const { page } = await site.visit(`/docs#/loan-approval?try=${call}`);
  const amount = page.getByRole("textbox", { name: "Amount" });
  await expect.poll(() => amount.inputValue()).toBe("1");
  expect(page.url()).toContain("?try=");
  await amount.fill("2");
  await expect.poll(() => page.url()).toBe(`${site.origin}/docs#/loan-approval`);
  await page.goto(`${site.origin}/docs#/loan-approval?try=eyJpbnB1d`);
  await page.getByText("The call in this link cannot be read.").waitFor();
});

function firstInput(): object {
  const [loan] = defaultDecisions;
  const listed = loan.meta?.["examples"];
  return Array.isArray(listed) ? listed[0].input : {};
}
