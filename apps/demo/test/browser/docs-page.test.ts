import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { extractDecisionSchema } from "@decern/core";
import { createServer } from "@decern/server";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { violations } from "./axe.js";
import {
  example as chip,
  choose,
  formLoaded,
  openTab,
  pressEvaluate,
  shown,
  useBrowser,
  type Visit,
} from "./browser.js";
import { zoo, zooInput } from "./zoo.js";

const run = promisify(execFile);
/** From here, Node finds the client. */
const demo = fileURLToPath(new URL("../..", import.meta.url));
// Evaluates only when asked to. `docs-live.test.ts` has the page that evaluates by itself.
const server = createServer({
  liveDocs: false,
  decisions: [...defaultDecisions, zoo],
  profiles: { ...profiles, zoo: { minAge: 18 } },
  logger: false,
});
const site = useBrowser(server);

async function openZoo(): Promise<Visit> {
  const opened = await site.visit(`/docs#/zoo`);
  await opened.page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
  await formLoaded(opened.page);
  return opened;
}

const input = (page: Page) => page.getByRole("region", { name: "Input", exact: true });

async function asJson(page: Page): Promise<unknown> {
  await choose(input(page), "JSON");
  return JSON.parse(await page.getByLabel("Input as JSON").inputValue());
}

async function fillJson(page: Page, value: unknown): Promise<void> {
  await choose(input(page), "JSON");
  await page.getByLabel("Input as JSON").fill(JSON.stringify(value));
  await choose(input(page), "Form");
}

async function evaluate(page: Page): Promise<string> {
  await pressEvaluate(page);
  return shown(page.locator(".status"));
}

async function ladder(page: Page): Promise<readonly string[]> {
  const rungs = await page
    .getByRole("region", { name: "Rules, in order" })
    .getByRole("listitem")
    .allInnerTexts();
  return rungs.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

describe("browsing", () => {
  it("shows every decision, searches them, tells why it found one, and opens it", async () => {
    const { page, faults } = await site.visit(`/docs`);
    const links = page.getByRole("main").getByRole("listitem").getByRole("link");
    await links.first().waitFor();
    expect(await links.count()).toBe(defaultDecisions.length + 1);
    const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "zoo" }) });
    expect((await shown(card)).split(/\n+/)).toEqual([
      "zoo",
      "3.1.4",
      "Every kind of field there is",
      "3 rules",
      "keepers",
      "a",
      "b",
    ]);
    const search = page.getByRole("searchbox");
    await page.keyboard.press("/");
    await page.keyboard.type("every FIELD");
    await expect.poll(() => links.allInnerTexts()).toEqual(["zoo"]);
    for (const [query, reason] of [
      ["too-young", "rule: too-young"],
      ["nickname", "field: nickname"],
      ["keepers", "owner: keepers"],
    ] as const) {
      await search.fill(query);
      await expect.poll(() => shown(page.locator(".cards"))).toContain(reason);
      expect(await links.allInnerTexts()).toEqual(["zoo"]);
    }
    await search.fill("no such thing");
    await page.getByText("Nothing found for").waitFor();
    await page.getByText(`0 of ${defaultDecisions.length + 1} decisions`).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Clear the search" }).click();
    await card.getByRole("button", { name: "Search a" }).click();
    await links.getByText("zoo").click();
    await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
    const main = page.getByRole("main");
    for (const text of ["3.1.4", "Every kind of field there is", "keepers", "POST /decisions/zoo"]) {
      await main.getByText(text, { exact: true }).first().waitFor();
    }
    await expect.poll(() => page.title()).toBe("zoo · Decisions");
    // The search stays beside what it found, and the way back leads to it.
    await page.getByRole("searchbox").fill("too-young");
    const beside = page.getByRole("navigation", { name: "Decisions" }).getByRole("link");
    await expect.poll(() => beside.allInnerTexts()).toEqual([expect.stringContaining("rule: too-young")]);
    await page.goBack();
    await page.getByText(`1 of ${defaultDecisions.length + 1} decisions`).waitFor();
    expect(faults).toEqual([]);
  });

  it("shows the schemas as tables and as JSON Schema", async () => {
    const { page } = await openZoo();
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: /address\.\s*city/ }) });
    expect(await shown(row)).toMatch(/required\s*string\s*at least 1 character/);
    const plan = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "plan" }) });
    for (const value of ['"basic"', '"plus"', '"pro"']) expect(await shown(plan)).toContain(value);
    const schemas = page.getByRole("region", { name: "Schemas", exact: true });
    await choose(schemas, "Profile");
    await page.getByRole("row").filter({ hasText: "minAge" }).getByText("Lowest age").waitFor();
    await choose(schemas, "Output");
    await choose(schemas, "JSON");
    const schema = JSON.parse(
      await shown(page.getByRole("region", { name: "Output schema as JSON Schema" })),
    );
    expect(schema).toEqual(extractDecisionSchema(zoo).outputSchema);
  });
});

describe("trying", () => {
  it("has worked examples for every demo decision, and each has the expected outcome", async () => {
    for (const decision of defaultDecisions) {
      const { page, faults } = await site.visit(`/docs#/${decision.id}`);
      const examples = decision.meta?.["examples"];
      if (!Array.isArray(examples)) throw new Error("no examples");
      for (const example of examples) {
        await chip(page, example.name).click();
        expect(await evaluate(page), example.name).toBe(example.expect.status.replaceAll("_", " "));
        const { matchedRule } = example.expect;
        if (matchedRule === undefined) continue;
        // A table marks its row, and rules are listed.
        const decided =
          decision.contentHash === undefined
            ? page
                .getByRole("listitem")
                .filter({ hasText: /Matched/ })
                .getByText(matchedRule, { exact: true })
            : page
                .getByRole("row")
                .filter({ has: page.getByRole("rowheader", { name: matchedRule }) })
                .getByText("Decides");
        await decided.waitFor();
      }
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it("keeps the form and the JSON view in sync", async () => {
    const { page, faults } = await openZoo();
    await page.getByLabel("Full name").fill("Grace");
    await page.getByRole("textbox", { name: "Age" }).fill("41");
    await page.getByLabel("weight").fill("70.25");
    await page.getByLabel("plan").selectOption("pro");
    await page.getByRole("switch", { name: "active" }).click();
    await page.getByLabel("city").fill("Arlington");
    await page.getByRole("button", { name: "Add to tags" }).click();
    await page.getByLabel("tags 1", { exact: true }).fill("navy");
    await page.getByRole("button", { name: "nickname" }).click();
    await page.getByLabel("nickname", { exact: true }).fill("Amazing");
    await expect
      .poll(() => asJson(page))
      .toEqual({
        name: "Grace",
        age: 41,
        weight: 70.25,
        plan: "pro",
        active: true,
        address: { city: "Arlington" },
        tags: ["navy"],
        nickname: "Amazing",
      });
    await page
      .getByLabel("Input as JSON")
      .fill(JSON.stringify({ ...zooInput, tags: ["x", "y"], partner: null }));
    await choose(input(page), "Form");
    await expect.poll(() => page.getByLabel("Full name").inputValue()).toBe("Ada");
    expect(await page.getByRole("textbox", { name: "Age" }).inputValue()).toBe("36");
    expect(await page.getByLabel("plan").locator("option:checked").allInnerTexts()).toEqual(["plus"]);
    expect(await page.getByRole("switch", { name: "active" }).isChecked()).toBe(true);
    expect(await page.getByLabel("tags 2", { exact: true }).inputValue()).toBe("y");
    expect(await page.getByRole("checkbox", { name: "partner is null" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Remove tags 1" }).click();
    await page.getByRole("button", { name: "Remove tags 1" }).click();
    await page.getByRole("button", { name: "Add to tags" }).waitFor();
    await expect.poll(() => asJson(page)).toEqual({ ...zooInput, tags: [], partner: null });
    expect(faults).toEqual([]);
  });

  it("does not send invalid JSON, and shows where the mistake is", async () => {
    const { page, requests } = await openZoo();
    await asJson(page);
    await page.getByLabel("Input as JSON").fill('{"name": ');
    await page.getByText(/Not valid JSON/).waitFor();
    expect(await page.getByRole("button", { name: "Evaluate" }).isDisabled()).toBe(true);
    await page.getByLabel("Input as JSON").press("Control+Enter");
    await page.getByLabel("Input as JSON").fill(JSON.stringify(zooInput));
    expect(await evaluate(page)).toBe("OK");
    expect(requests.filter((url) => url.endsWith("/decisions/zoo") && !url.includes("/docs/"))).toHaveLength(
      1,
    );
  });

  it("has a switch for the kinds of a union, and can remove optional fields", async () => {
    const { page } = await openZoo();
    await fillJson(page, zooInput);
    await page.getByRole("button", { name: "either" }).click();
    await choose(page.getByRole("group", { name: "Kind of either" }), "with b");
    await page.getByRole("textbox", { name: "b", exact: true }).fill("7");
    await expect.poll(() => asJson(page)).toEqual({ ...zooInput, either: { b: 7 } });
    await choose(input(page), "Form");
    await page.getByRole("button", { name: "Remove either" }).click();
    await expect.poll(() => asJson(page)).toEqual(zooInput);
  });

  it("offers no more items than a list allows", async () => {
    const { page } = await openZoo();
    await fillJson(page, { ...zooInput, tags: ["a", "b", "c"] });
    expect(await page.getByRole("button", { name: "Add to tags" }).isDisabled()).toBe(true);
  });
});

describe("the outcome", () => {
  it("shows status, data, the ladder with matched, not matched and not reached, timing and request id", async () => {
    const { page } = await openZoo();
    await fillJson(page, zooInput);
    expect(await ladder(page)).toEqual(["too-young", "active", "never"]);
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    expect(await evaluate(page)).toBe("OK");
    expect(await ladder(page)).toEqual([
      "too-young Not matched",
      "active Matched Plan plus is active",
      "never Not reached",
    ]);
    const outcome = page.getByRole("region", { name: "Outcome", exact: true });
    expect(await shown(outcome.locator("dl"))).toMatch(/fits\s+true\s+note\s+math/);
    const text = await shown(page.locator(".call-facts"));
    expect(text).toContain("HTTP 200");
    expect(text).toMatch(/\d+(\.\d)? ms/);
    const response = await answered;
    expect(text).toContain(response.headers()["x-request-id"]);
    const announced = await shown(outcome.getByRole("status"));
    expect(announced).toBe("OK. active decided: Plan plus is active");
    await choose(outcome, "JSON");
    expect(await ladder(page)).toHaveLength(3);
    const body = JSON.parse(await shown(page.getByRole("region", { name: "Body of the reply" })));
    expect(body).toEqual(await response.json());
  });

  it("shows that no rule matched", async () => {
    const { page } = await openZoo();
    await fillJson(page, { ...zooInput, active: false });
    expect(await evaluate(page)).toBe("NO MATCH");
    expect(await ladder(page)).toEqual(["too-young Not matched", "active Not matched", "never Not matched"]);
  });

  it("shows validation errors at their fields, and removes them when the field changes", async () => {
    const { page } = await openZoo();
    await fillJson(page, { ...zooInput, age: 300, address: { city: "" }, tags: ["ok", ""], plan: undefined });
    expect(await evaluate(page)).toBe("INVALID INPUT");
    const wrong = page.locator("[aria-invalid=true]");
    const ids = await wrong.evaluateAll((nodes) => nodes.map((node) => node.id));
    expect(ids).toEqual(["input/age", "input/plan", "input/address/city", "input/tags/1"]);
    const age = page.getByRole("textbox", { name: "Age" });
    const described = (await age.getAttribute("aria-describedby")) ?? "";
    const message = page.locator(`[id="${described.split(" ").at(-1)}"]`);
    expect(await shown(message)).toMatch(/120/);
    // The focus moves in the frame after the reply is shown.
    await page.locator("[id='input/age']:focus").waitFor();
    const stale = page.getByText("The form has changed.");
    expect(await stale.count()).toBe(0);
    await age.fill("30");
    await stale.waitFor();
    expect(await age.getAttribute("aria-invalid")).toBe("false");
    expect(await wrong.count()).toBe(3);
    const outcome = page.getByRole("region", { name: "Outcome", exact: true });
    await outcome.getByRole("button", { name: "/tags/1" }).click();
    await page.locator("[id='input/tags/1']:focus").waitFor();
    expect(await page.locator(":focus").getAttribute("id")).toBe(
      await page.getByLabel("tags 2", { exact: true }).getAttribute("id"),
    );
  });

  it("keeps the focus on the Evaluate button, and sends one request", async () => {
    const { page, requests } = await openZoo();
    await fillJson(page, zooInput);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`${site.origin}/decisions/zoo`, async (route) => {
      await held;
      await route.continue();
    });
    const button = page.locator("button[type=submit].primary");
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Evaluating…" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    expect(await button.evaluate((node) => node.ownerDocument.activeElement === node)).toBe(true);
    answer();
    expect(await shown(page.locator(".status"))).toBe("OK");
    await page.getByRole("button", { name: "Evaluate", exact: true }).waitFor();
    expect(await button.evaluate((node) => node.ownerDocument.activeElement === node)).toBe(true);
    expect(requests.filter((url) => url === `${site.origin}/decisions/zoo`)).toHaveLength(1);
  });

  it("reports when it cannot reach the service", async () => {
    const { page } = await openZoo();
    await page.route(`${site.origin}/decisions/zoo`, (route) => route.abort());
    await page.getByRole("button", { name: "Evaluate" }).click();
    await page.getByText("Couldn't reach the service").last().waitFor();
    expect(await shown(page.locator(".status"))).toBe("NO RESPONSE");
  });
});

describe("profiles", () => {
  it("shows the default profile, overrides it for one call, and shows its errors at its fields", async () => {
    const { page } = await openZoo();
    await fillJson(page, { ...zooInput, age: 20 });
    expect(await shown(page.getByRole("region", { name: "Default profile" }))).toMatch(
      /^Lowest age\s*minAge\s+18$/,
    );
    expect(await evaluate(page)).toBe("OK");
    expect((await ladder(page))[0]).toBe("too-young Not matched");
    await page.getByRole("checkbox", { name: "Override profile" }).check();
    await page.getByLabel("Lowest age", { exact: true }).fill("21");
    expect(await evaluate(page)).toBe("OK");
    expect((await ladder(page))[0]).toBe("too-young Matched Age 20 is below 21");
    await page.getByLabel("Lowest age", { exact: true }).fill("-1");
    expect(await evaluate(page)).toBe("INVALID PROFILE");
    expect(
      await page.locator("[aria-invalid=true]").evaluateAll((nodes) => nodes.map((node) => node.id)),
    ).toEqual(["profile/minAge"]);
  });
});

describe("sharing", () => {
  const nasty = {
    ...zooInput,
    name: `O'Hara "$HOME" \`id\` \\ ü 世界 ‘’ \u202elive`,
    tags: [`<b> ‘it's’ "so" \u202e世界`],
  };

  /** Node 20 does not know types. */
  const plainJavaScript = (code: string): string =>
    code.replace(/^import type .*$/m, "").replace("<typeof decisions>", "");

  async function clipboard(page: Page, button: string): Promise<string> {
    await page.getByRole("button", { name: button }).click();
    await page.getByText(/^(Copied|Link copied)$/).waitFor();
    return page.evaluate<string>("navigator.clipboard.readText()");
  }

  async function openWithClipboard(): Promise<Page> {
    const { page } = await site.visit(`/docs#/zoo`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
    await fillJson(page, nasty);
    await openTab(page, "Call it");
    return page;
  }

  it("copies code for the same call: each language is run", async () => {
    const page = await openWithClipboard();
    const ran: [language: string, command: string, args: readonly string[]][] = [];
    for (const language of ["curl", "fetch", "client", "Python"]) {
      await choose(page, language);
      const code = await clipboard(page, `Copy as ${language}`);
      const print = `${plainJavaScript(code)}\nconsole.log(JSON.stringify(result));`;
      if (language === "curl") ran.push([language, "bash", ["-c", `${code} --silent`]]);
      else if (language === "Python")
        ran.push([language, "python3", ["-c", `${code}\nprint(json.dumps(result))`]]);
      else ran.push([language, "node", ["--input-type=module", "--eval", print]]);
    }
    for (const [language, command, args] of ran) {
      const { stdout } = await run(command, args, { cwd: demo });
      const { status, data } = JSON.parse(stdout);
      expect({ status, note: data.note }, language).toEqual({ status: "OK", note: nasty.tags[0] });
    }
    await choose(page, "PowerShell");
    expect(await clipboard(page, "Copy as PowerShell")).toContain("Invoke-RestMethod");
  });

  it("shares a link that restores the form, and never sends it", async () => {
    const page = await openWithClipboard();
    await page.getByRole("checkbox", { name: "Override profile" }).check();
    await page.getByLabel("Lowest age", { exact: true }).fill("60");
    const link = await clipboard(page, "Share");
    expect(link.startsWith(`${site.origin}/docs#/zoo/versions/3.1.4?try=`)).toBe(true);
    const { page: other, requests, faults } = await site.visit(link);
    await other.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
    await expect.poll(() => asJson(other)).toEqual(nasty);
    expect(await other.getByLabel("Lowest age", { exact: true }).inputValue()).toBe("60");
    // The page of this service does not evaluate by itself, but a link shows its outcome.
    await expect.poll(async () => (await ladder(other))[0]).toBe("too-young Matched Age 36 is below 60");
    const secret = link.split("try=")[1];
    for (const url of requests) expect(url.split("#")[0]).not.toContain(secret);
    expect(faults).toEqual([]);
    await other.context().close();
  });

  it("still opens the decision when a link was truncated", async () => {
    const { page, faults } = await site.visit(`/docs#/zoo?try=eyJpbnB1d`);
    await page.getByRole("heading", { level: 1, name: "zoo" }).waitFor();
    await formLoaded(page);
    expect(faults).toEqual([]);
  });
});
