import { defineDecision } from "@decern/core";
import { typebox } from "@decern/schema";
import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { choose, formLoaded, openTab, shown, useBrowser } from "./browser.js";

const numbers = defineDecision({
  id: "numbers",
  version: "1.0.0",
  meta: {
    examples: [{ name: "plain", input: { any: 10, whole: 10, grade: 5, list: [1], free: { b: 1 } } }],
  },
  inputSchema: typebox(
    Type.Object({
      any: Type.Number(),
      whole: Type.Integer({ maximum: 5000 }),
      grade: Type.Number({ minimum: 0, maximum: 10, multipleOf: 0.1 }),
      list: Type.Array(Type.Number()),
      // Takes any value, so its field is text.
      free: Type.Unknown(),
    }),
  ),
  outputSchema: typebox(Type.Object({})),
  profileSchema: typebox(Type.Object({})),
  rules: [{ id: "all", when: () => true, emit: () => ({}) }],
});
// Nothing is sent but what a test sends.
const site = useBrowser(createServer({ decisions: [numbers], liveDocs: false, logger: false }));

/** The page, and the bodies of all evaluations that it has requested. */
async function open(): Promise<{ readonly page: Page; readonly sent: readonly string[] }> {
  const { page } = await site.visit("/docs#/numbers", { viewport: { width: 1280, height: 500 } });
  await page.getByRole("heading", { level: 1, name: "numbers" }).waitFor();
  await formLoaded(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.postData() ?? "");
  });
  return { page, sent };
}

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** Replaces a field's content by typing as a person does, and presses Enter. */
async function enter(page: Page, name: string, text: string): Promise<void> {
  await field(page, name).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** The error at the focused field. */
async function errorAt(page: Page, name: string): Promise<string> {
  await page.locator("[aria-invalid=true]:focus").waitFor();
  const control = page.getByLabel(name, { exact: true });
  expect(await control.getAttribute("aria-invalid")).toBe("true");
  const ids = (await control.getAttribute("aria-describedby"))?.split(" ") ?? [];
  return shown(page.locator(`[id="${ids.at(-1)}"]`));
}

async function reply(page: Page): Promise<string> {
  // Another tab may be open.
  await page.getByText("HTTP 200").waitFor({ state: "attached" });
  return shown(page.locator(".status"));
}

describe("a field for a number", () => {
  it.each([
    ["7e", "must be a number, such as 12, -1.5 or 2e6"],
    ["1,5", "must be a number, such as 12, -1.5 or 2e6"],
    ["-", "must be a number, such as 12, -1.5 or 2e6"],
    ["1e999", "is too large to send as a number"],
    ["-0", "cannot be sent exactly as written: it would become 0"],
    ["1e-400", "cannot be sent exactly as written: it would become 0"],
    ["12345678901234567890", "cannot be sent exactly as written: it would become 12345678901234567000"],
  ])("keeps %s as typed, reports the mistake, and sends nothing", async (text, problem) => {
    const { page, sent } = await open();
    await enter(page, "any", text);
    expect(await errorAt(page, "any")).toBe(problem);
    expect(await field(page, "any").inputValue()).toBe(text);
    await page.getByText("Fix the marked fields first.").waitFor();
    await openTab(page, "Call it");
    await page.getByText("This call contains its text instead of a value.").waitFor();
    await page.keyboard.press("Control+Enter");
    // The JSON view shows the same, and switching back and forth keeps the text.
    await choose(page.getByRole("group", { name: "Input as" }), "JSON");
    await page.getByText(`/any ${problem}`).waitFor();
    await choose(page.getByRole("group", { name: "Input as" }), "Form");
    expect(await field(page, "any").inputValue()).toBe(text);
    await enter(page, "any", "8");
    expect(await reply(page)).toBe("OK");
    expect(sent.map((body) => JSON.parse(body).input.any)).toEqual([8]);
  });

  it.each(["1.50", "-2", "0.1", "1e3", "100000000000000000000000", " 7 "])(
    "sends %s as that number, and keeps its spelling",
    async (text) => {
      const { page, sent } = await open();
      await enter(page, "any", text);
      expect(await reply(page)).toBe("OK");
      expect(sent.map((body) => JSON.parse(body).input.any)).toEqual([Number(text)]);
      expect(await field(page, "any").inputValue()).toBe(text);
      await page.context().close();
    },
  );

  it("delays its error while the number may be unfinished, and shows it when the field loses focus", async () => {
    const { page } = await open();
    await openTab(page, "Call it");
    await field(page, "any").fill("1.");
    await page.getByRole("region", { name: "curl command" }).getByText('"any": "1."').waitFor();
    expect(await field(page, "any").getAttribute("aria-invalid")).toBe("false");
    await page.keyboard.press("Tab");
    await page.getByText("must be a number, such as").waitFor();
    expect(await field(page, "any").getAttribute("aria-invalid")).toBe("true");
  });

  it("is not changed by the mouse wheel, and neither is its slider", async () => {
    const { page } = await open();
    for (const control of [field(page, "whole"), page.getByRole("slider", { name: "grade, slider" })]) {
      await page.evaluate("scrollTo(0, 0)");
      await control.focus();
      await control.hover();
      const before = await page.evaluate<number>("scrollY");
      const value = await control.inputValue();
      for (let notch = 0; notch < 3; notch += 1) await page.mouse.wheel(0, 40);
      // The page has scrolled, so the field has received the wheel events.
      await page.waitForFunction(`scrollY > ${before}`);
      expect(await control.inputValue()).toBe(value);
    }
  });

  it("steps up and down with the arrow keys, within its bounds", async () => {
    const { page } = await open();
    const press = async (name: string, keys: readonly string[]) => {
      await field(page, name).focus();
      for (const key of keys) await page.keyboard.press(key);
    };
    const value = (name: string) => expect.poll(() => field(page, name).inputValue());
    await press("any", ["ArrowUp", "ArrowUp", "ArrowDown"]);
    await value("any").toBe("11");
    await press("grade", ["ArrowDown", "ArrowDown", "ArrowDown"]);
    await value("grade").toBe("4.7");
    expect(await page.getByRole("slider", { name: "grade, slider" }).inputValue()).toBe("4.7");
    await field(page, "whole").fill("4999");
    await press("whole", ["ArrowUp", "ArrowUp"]);
    await value("whole").toBe("5000");
  });

  it("keeps its place and the focus when emptied in a list, and does not send null", async () => {
    const { page, sent } = await open();
    await field(page, "list 1").fill("");
    await page.keyboard.press("Enter");
    expect(await errorAt(page, "list 1")).toBe("must have a value, or be removed");
    await page.keyboard.type("2.5");
    await page.keyboard.press("Enter");
    expect(await reply(page)).toBe("OK");
    expect(sent.map((body) => JSON.parse(body).input.list)).toEqual([[2.5]]);
  });
});

describe("JSON", () => {
  const refused = [
    ["1e999", "1e999 on line 1 is too large to send as a number"],
    [
      "12345678901234567890",
      "12345678901234567890 on line 1 cannot be sent exactly as written: it would become 12345678901234567000",
    ],
  ] as const;

  it.each(refused)("in the JSON view, %s is refused and not altered", async (number, problem) => {
    const { page, sent } = await open();
    await choose(page.getByRole("group", { name: "Input as" }), "JSON");
    const view = page.getByLabel("Input as JSON");
    const text = `{"any": ${number}, "whole": 1, "grade": 1, "list": [], "free": null}`;
    await view.fill(text);
    await view.press("Control+Enter");
    expect(await errorAt(page, "Input as JSON")).toBe(problem);
    expect(await view.inputValue()).toBe(text);
    await openTab(page, "Call it");
    await page.getByText("This is the last valid call.").waitFor();
    await view.fill(text.replace(number, "7.0"));
    await view.press("Control+Enter");
    expect(await reply(page)).toBe("OK");
    expect(sent.map((body) => JSON.parse(body).input.any)).toEqual([7]);
  });

  it.each([...refused, ['{"b": ', "Not valid JSON"] as const])(
    "in a JSON field, %s is refused and not altered",
    async (text, problem) => {
      const { page, sent } = await open();
      const free = field(page, "free");
      await free.fill(text);
      await free.press("Control+Enter");
      expect(await errorAt(page, "free")).toContain(problem);
      expect(await free.inputValue()).toBe(text);
      await free.fill("null");
      await free.press("Control+Enter");
      expect(await reply(page)).toBe("OK");
      expect(sent.map((body) => JSON.parse(body).input.free)).toEqual([null]);
      await page.context().close();
    },
  );
});
