import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { giveKey, useRecords } from "./records-site.js";

const { site } = useRecords();

/** What a screen reader says of the element that has the focus. */
const focused = (page: Page): Promise<string> => page.locator(":focus").ariaSnapshot();

const mostStops = 80;

/** Presses Tab until the focus is on what a screen reader calls so. */
async function tabTo(page: Page, what: RegExp): Promise<void> {
  const stops: string[] = [];
  while (stops.length < mostStops) {
    await page.keyboard.press("Tab");
    const [stop = ""] = (await focused(page)).split("\n");
    stops.push(stop);
    if (what.test(stop)) return;
  }
  expect.fail(`${what} is not among ${stops.join(", ")}`);
}

it("takes nothing but a keyboard from the list of decisions to a record, and back into the form", async () => {
  const { page, faults } = await site.visit("/docs");
  await giveKey(page);
  await tabTo(page, /link "loan"/);
  await page.keyboard.press("Enter");
  // Not lost with the link that was followed.
  await expect.poll(() => focused(page)).toMatch(/^- region "Decision loan"/);

  await tabTo(page, /textbox "amount"/);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("5000");
  await tabTo(page, /textbox "lateBills"/);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("4");
  const said = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const status = document.querySelector(".outcome [role=status]") ?? document.body;
    const listen = () => {
      if (status.textContent !== "") texts.push(status.textContent);
    };
    new MutationObserver(listen).observe(status, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  await tabTo(page, /button "Evaluate/);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Record of this call" }).waitFor();
  expect(await said.jsonValue()).toEqual([expect.stringMatching(/risky decided: The risk is high/)]);
  expect(await focused(page)).toMatch(/button "Evaluate/);

  await tabTo(page, /link "Record of this call"/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "loan" }).waitFor();
  await tabTo(page, /link "Open in Try it"/);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByLabel("lateBills", { exact: true }).inputValue()).toBe("4");

  expect(faults).toEqual([]);
});
