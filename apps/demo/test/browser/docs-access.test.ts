import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { choose, formLoaded, problems, shown, useBrowser } from "./browser.js";
import { zoo, zooInput } from "./zoo.js";

const server = createServer({ decisions: [zoo], profiles: { zoo: { minAge: 18 } }, logger: false });
const site = useBrowser(server);

const link = (call: unknown) =>
  `${site.origin}/docs#/zoo?try=${Buffer.from(JSON.stringify(call)).toString("base64url")}`;

describe.each([
  { name: "desktop", viewport: { width: 1280, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
])("at $name width", ({ viewport }) => {
  describe("in light and dark", () => {
    it("has no axe violations in any state, and no horizontal scrolling", async () => {
      const { page, faults } = await site.visit(`/docs`, { viewport });
      const check = async (state: string) => expect(await problems(page), state).toEqual([]);
      await page.getByText("1 decision", { exact: true }).waitFor();
      await check("overview");
      await page.goto(link({ input: { ...zooInput, nickname: "x", partner: null, either: { a: "" } } }));
      await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
      // The address changes before the form does.
      const restored = (name: string) => expect.poll(() => page.locator(`[id='input/${name}']`).inputValue());
      await restored("nickname").toBe("x");
      await check("before");
      await page.getByRole("button", { name: "Evaluate" }).click();
      await page.getByText("HTTP 200").waitFor();
      await check("OK");
      // A narrow screen folds it away.
      const fold = page.locator("summary").getByText("Profile", { exact: true });
      if ((await fold.count()) > 0) await fold.click();
      await page.getByRole("checkbox", { name: "Override profile" }).check();
      await choose(page.getByRole("group", { name: "Outcome as" }), "JSON");
      await choose(page.getByRole("group", { name: "Schema as" }), "JSON");
      await choose(page.getByRole("group", { name: "Profile as" }), "JSON");
      await check("JSON");
      await page.goto(link({ input: { ...zooInput, age: -1, plan: "none", address: {} } }));
      await restored("age").toBe("-1");
      await page.getByRole("button", { name: "Evaluate" }).click();
      await page.getByText("HTTP 400").waitFor();
      await check("errors");
      await page.getByRole("textbox", { name: "Age" }).fill("1,5");
      await page.getByText("Fix the marked fields first.").waitFor();
      await check("an invalid number");
      await choose(page.getByRole("group", { name: "Input as" }), "JSON");
      await page.getByLabel("Input as JSON").fill("{");
      await page.getByText("Fix the JSON first.").waitFor();
      await check("mistake");
      expect(faults).toEqual([]);
      // The control: a fault in any colours, and one of dark alone.
      await page.evaluate(`(() => {
        const text = document.createElement("p");
        text.textContent = "planted";
        text.style.cssText = "background: #000; color: light-dark(#fff, #222); width: 2000px";
        document.querySelector("main").prepend(document.createElement("img"), text);
      })()`);
      const planted = (await problems(page)).map((problem) => problem.split(":")[0]);
      expect(planted.sort()).toEqual(["color-contrast", "image-alt", "width", "width"]);
    }, 600_000);
  });
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    if ((await focused.count()) === 0) continue;
    const label = await focused.evaluate((node) => {
      const labels =
        "labels" in node && node.labels ? [...(node.labels as Iterable<{ textContent: string }>)] : [];
      return node.getAttribute("aria-label") ?? labels[0]?.textContent ?? node.textContent ?? "";
    });
    if (typeof name === "string" ? label.trim() === name : name.test(label.trim())) return;
  }
  throw new Error(`no way by Tab to ${name}`);
}

it("works with the keyboard alone", async () => {
  const { page, faults } = await site.visit(`/docs`);
  await page.getByRole("link", { name: "zoo" }).waitFor();
  await tabTo(page, "Search decisions");
  await page.keyboard.type("every kind");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toBe(`${site.origin}/docs#/zoo`);
  await formLoaded(page);
  await tabTo(page, "Full name");
  await page.keyboard.type("Alan");
  await tabTo(page, "Age");
  await page.keyboard.type("41");
  await tabTo(page, "weight");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("70.5");
  await tabTo(page, "plan");
  await page.keyboard.press("ArrowDown");
  await tabTo(page, "active");
  await page.keyboard.press("Space");
  await tabTo(page, "city");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Wilmslow");
  await tabTo(page, "Add to tags");
  await page.keyboard.press("Enter");
  // The focus moves to the added field.
  await page.locator("[id='input/tags/0']:focus").waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("enigma");
  await tabTo(page, "Remove tags 1");
  await page.keyboard.press("Enter");
  await page.locator("[id='input/tags:add']:focus").waitFor();
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => shown(page.locator(".status"))).toBe("OK");
  // A row of radio buttons is one tab stop, and the arrow keys move within it.
  await tabTo(page, "Form");
  await page.keyboard.press("ArrowRight");
  const value = JSON.parse(await page.getByLabel("Input as JSON").inputValue());
  expect(value).toMatchObject({
    weight: 70.5,
    plan: "plus",
    active: true,
    address: { city: "Wilmslow" },
    tags: [],
  });
  expect(value.name).toMatch(/Alan$/);
  expect(faults).toEqual([]);
});

it("shows the focus on every focusable element", async () => {
  const { page } = await site.visit(link({ input: { ...zooInput, nickname: "x" } }));
  await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
  await formLoaded(page);
  const seen = new Set<string>();
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate<{ key: string; visible: boolean } | null>(`(() => {
      const node = document.activeElement;
      if (node === null || node === document.body) return null;
      const drawn = (element) => element !== null && getComputedStyle(element).outlineStyle !== "none";
      return { key: node.outerHTML.slice(0, 120), visible: drawn(node) || drawn(node.nextElementSibling) };
    })()`);
    if (found === null) break;
    expect(found.visible, found.key).toBe(true);
    seen.add(found.key);
  }
  expect(seen.size).toBeGreaterThan(25);
});

it("lets users choose a theme, and keeps it", async () => {
  const { page } = await site.visit(`/docs`, { colorScheme: "light" });
  const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  await page.getByRole("link", { name: "zoo" }).waitFor();
  const light = await background();
  await page.getByRole("button", { name: /^Theme: system/ }).click();
  await page.getByRole("button", { name: /^Theme: light/ }).waitFor();
  expect(await background()).toBe(light);
  await page.getByRole("button", { name: /^Theme: light/ }).click();
  await page.getByRole("button", { name: /^Theme: dark/ }).waitFor();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole("button", { name: /^Theme: dark/ }).waitFor();
  expect(await background()).toBe(dark);
});
