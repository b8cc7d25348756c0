import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, problems, type Visit, visit } from "../../demo/test/browser/browser.js";
import { toFragment } from "../src/base/state.js";
import { serveFolder } from "./serve.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, "apps/site/dist/site");

let server: Server | undefined;
let browser: Browser | undefined;
let origin = "";

beforeAll(async () => {
  await promisify(execFile)(
    join(root, "node_modules/.bin/turbo"),
    ["run", "build", "--filter=@decern/site", "--output-logs=errors-only"],
    { cwd: root, env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" } },
  );
  server = serveFolder(folder).listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  origin = `http://localhost:${address.port}`;
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

function open(path: string, options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
  if (browser === undefined) throw new Error("no browser yet");
  return visit(browser, `${origin}${path}`, options);
}

/** Requests that left the machine, or would have. */
function elsewhere({ requests }: Visit): readonly string[] {
  return requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith("blob:"));
}

describe("the pages", () => {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".html") && !name.startsWith("playground"),
  );
  const html = new Map(pages.map((name) => [addressOf(name), readFileSync(join(folder, name), "utf8")]));

  it("lead only to pages, headings and files that are there", () => {
    expect(html.size).toBeGreaterThan(80);
    const wrong: string[] = [];
    for (const [address, text] of html) {
      for (const [, href = ""] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^(?:[a-z]+:|\/playground\/)/.test(href)) continue;
        const { pathname, hash } = new URL(
          href.replaceAll("&amp;", "&"),
          `${origin || "http://x"}${address}`,
        );
        const target = html.get(pathname);
        const id = decodeURIComponent(hash.slice(1));
        if (target === undefined) wrong.push(`${address}: ${href}`);
        else if (id !== "" && !target.includes(`id="${id}"`)) wrong.push(`${address}: ${href}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("show in both colours on both screens what axe accepts, without a request to elsewhere", async () => {
    for (const [path, width] of [
      ["/docs/what-would-change", 1280],
      ["/docs/decision-tables", 390],
    ] as const) {
      const visited = await open(path, { viewport: { width, height: 800 } });
      expect(await problems(visited.page), `${path} at ${width}`).toEqual([]);
      expect(visited.faults).toEqual([]);
      expect(elsewhere(visited)).toEqual([]);
      await visited.page.context().close();
    }
  });

  it("are searched without a network", async () => {
    const { page, faults } = await open("/docs/profiles");
    await page.getByRole("button", { name: "Search" }).first().click();
    const field = page.locator(".VPLocalSearchBox input");
    const first = page.locator(".VPLocalSearchBox .result").first();
    await field.fill("runbook");
    await first.filter({ hasText: "Runbook" }).waitFor();
    await page.context().setOffline(true);
    await field.fill("scaling machines");
    await first.filter({ hasText: "How many machines" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("have a page for what is not there", async () => {
    const { page } = await open("/docs/nothing");
    await page.getByText("There is no such page").waitFor();
    await page.getByRole("link", { name: "Start", exact: true }).click();
    await page.getByRole("heading", { name: "Decern", level: 1 }).waitFor();
    await page.context().close();
  });
});

function addressOf(name: string): string {
  return `/${name.replaceAll("\\", "/").replace(/(?:index)?\.html$/, "")}`;
}

describe("the playground", () => {
  const says = (page: Page, text: string) =>
    page.locator(".outcome").getByRole("status").filter({ hasText: text }).waitFor();
  const editor = (page: Page) => page.locator(".cm-content");

  it("shows a result before the editor has loaded, in less than 200 kB", async () => {
    const page = await (await newContext()).newPage();
    let bytes = 0;
    const sizes: Promise<void>[] = [];
    page.on("requestfinished", (request) => {
      const add = async () => {
        const { responseBodySize } = await request.sizes();
        bytes += responseBodySize;
      };
      sizes.push(add());
    });
    // It takes its time, so that all that has loaded is the page.
    await page.route("**/editor-*.js", () => undefined);
    await page.goto(`${origin}/playground/`);
    await says(page, "decided");
    await page.getByRole("textbox", { name: "Code in TypeScript" }).waitFor();
    await Promise.all(sizes);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(200_000);
    await page.context().close();
  });

  it("evaluates what is typed into the code and the form", async () => {
    const visited = await open("/playground/");
    const { page } = visited;
    await editor(page).waitFor();
    await page.getByRole("button", { name: "Low score" }).click();
    await says(page, "Score 580 is below 620");
    await page.getByLabel("Amount", { exact: true }).fill("-1");
    await says(page, "The input is not valid");
    await editor(page).fill(code("if (input.n > 1) return true; return false;"));
    await page.getByRole("heading", { name: "typed" }).waitFor();
    await says(page, "No rule matched");
    await page.getByLabel("n", { exact: true }).fill("2");
    await says(page, "n is 2");
    expect(visited.faults).toEqual([]);
    expect(elsewhere(visited)).toEqual([]);
    await page.context().close();
  });

  it("marks a mistake, and keeps what ran before", async () => {
    const { page } = await open("/playground/");
    await editor(page).waitFor();
    await editor(page).fill("const a = 1;\nconst b = ;\n");
    await page.getByRole("status").getByText("Line 2:").waitFor();
    await page.locator(".cm-mistake").filter({ hasText: "const b" }).waitFor();
    await says(page, "decided");
    await page.context().close();
  });

  it("stops an endless loop, in the code and in a rule, and runs what comes after it", async () => {
    const { page } = await open(`/playground/${await toFragment({ module: "for (;;);" })}`);
    await page.getByText("was stopped. Does it have an endless loop?").waitFor();
    await editor(page).fill(code("while (input.n === 1); return input.n > 1;"));
    await says(page, "No rule matched");
    await page.getByLabel("n", { exact: true }).fill("1");
    await says(page, "Does a rule have an endless loop?");
    await page.getByLabel("n", { exact: true }).fill("3");
    await says(page, "n is 3");
    await page.context().close();
  });

  it("restores everything from its link", async () => {
    const { page } = await open("/playground/");
    await editor(page).waitFor();
    await editor(page).fill(code("return input.n > 1;"));
    await page.getByLabel("n", { exact: true }).fill("41");
    await says(page, "n is 41");
    await page.waitForFunction("location.hash.length > 10");
    const link = await page.evaluate<string>(
      "new Promise((done) => setTimeout(() => done(location.href), 1000))",
    );
    const again = await open(link.slice(origin.length));
    await says(again.page, "n is 41");
    await editor(again.page).getByText("return input.n > 1;").waitFor();
    const cut = await open(link.slice(origin.length, -10));
    await cut.page.getByText("This link cannot be read").waitFor();
    await says(cut.page, "decided");
  });

  it("opens an example of a guide, and a table whose rows are edited in a grid and as text", async () => {
    const { page, faults } = await open("/docs/decision-tables");
    await page.getByRole("link", { name: "Open in the playground" }).click();
    await page.getByRole("heading", { name: "Decision table" }).waitFor();
    await page.getByText("Every cell can be read.").waitFor();
    await says(page, "home");
    const fee = page.locator(".edit-grid [data-row='0'] .cell.output").first();
    const type = async (text: string) => {
      await fee.click();
      await page.keyboard.press("F2");
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text);
      await page.keyboard.press("Enter");
    };
    await type("123");
    await page.locator(".outcome .figure").getByText("123", { exact: true }).waitFor();
    expect(await problems(page)).toEqual([]);
    // What cannot be read changes nothing, and is said.
    await type("1 +");
    await page.getByText("1 problem.").waitFor();
    await page.getByRole("radio", { name: "fee.csv" }).check();
    await editor(page).getByText("home,home,-,false,123,post,").waitFor();
    await editor(page).fill(
      "table,shipping-fee\nversion,1.0.0\nhit policy,U\nrule,zone,out: fee,out: carrier\nall,-,321,post\n",
    );
    await page.locator(".outcome .figure").getByText("321", { exact: true }).waitFor();
    await page.getByRole("radio", { name: "Rows" }).check();
    await fee.getByText("321", { exact: true }).waitFor();
    const { page: menu } = await open("/playground/");
    await menu.getByRole("combobox", { name: "Example" }).focus();
    await menu
      .getByRole("combobox", { name: "Example" })
      .selectOption({ label: "Define decisions: shipping.ts" });
    await says(menu, "decided");
    expect(faults).toEqual([]);
  });

  it("gives the code of a link neither the site's origin nor a network", async () => {
    const tries = [
      "origin",
      "location.origin",
      `await fetch("${origin}/").then(() => "fetched", () => "blocked")`,
      `await fetch("https://example.com/").then(() => "fetched", () => "blocked")`,
      `(() => { try { importScripts("${origin}/playground/engine/manifest.json"); return "imported"; } catch (e) { return e.name; } })()`,
      `await import("${origin}/playground/engine/manifest.json").then(() => "imported", () => "blocked")`,
      `await new Promise((done) => { try { const r = indexedDB.open("x"); r.onsuccess = () => done("stored"); r.onerror = () => done("blocked"); } catch { done("blocked"); } })`,
      `await caches.open("x").then(() => "cached", () => "blocked")`,
      `await new Promise((done) => { const socket = new WebSocket("wss://example.com"); socket.onopen = () => done("open"); socket.onerror = () => done("blocked"); })`,
    ];
    const module = tries
      .map((one) => `try { console.log(${one}) } catch { console.log("blocked") }`)
      .join("\n");
    const { page, requests } = await open(`/playground/${await toFragment({ module })}`);
    const lines = page.getByLabel("Console", { exact: true });
    await lines.waitFor();
    const [own, url, ...reached] = ((await lines.locator("pre").textContent()) ?? "").split("\n");
    expect([own, url]).toEqual(["null", "null"]);
    expect(reached).toHaveLength(7);
    for (const one of reached) expect(one).toMatch(/^(?:blocked|NetworkError|SecurityError)$/);
    expect(requests.filter((url) => url.includes("example.com"))).toEqual([]);
  });

  it("shows in both colours on both screens what axe accepts", async () => {
    for (const viewport of [
      { width: 390, height: 800 },
      { width: 1280, height: 800 },
    ]) {
      const { page, faults } = await open("/playground/", { viewport });
      await editor(page).waitFor();
      await says(page, "decided");
      expect(await problems(page), `at ${viewport.width}`).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  async function newContext() {
    if (browser === undefined) throw new Error("no browser yet");
    return browser.newContext();
  }
});

/** A decision with one rule, and a body for it. */
function code(when: string): string {
  return `import { defineDecision } from "@decern/core";
import { z } from "zod";
export const typed = defineDecision({
  id: "typed",
  version: "1.0.0",
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({}),
  profileSchema: z.object({}),
  rules: [
    { id: "a", when: (input: { n: number }): boolean => { ${when} }, emit: () => ({}), explain: (input) => \`n is \${input.n}\` },
  ],
});
`;
}
