import type { DecisionServer } from "@decern/server";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Response,
} from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { violations } from "./axe.js";

/** Starts Debian's Chromium, the build without windows, which needs half of the processor time, with a fresh profile and without background requests. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium-headless-shell",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A page, and a record of what must never happen on it. */
export interface Visit {
  readonly page: Page;
  /** URLs of all requests. */
  readonly requests: readonly string[];
  /** Exceptions and policy violations. */
  readonly faults: readonly string[];
}

/** Opens a URL in a new context. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  // Longer than any test, so only the test runner limits the wait for a page.
  page.setDefaultTimeout(600_000);
  page.setDefaultNavigationTimeout(600_000);
  const requests: string[] = [];
  const faults: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    // Some tests provoke a 400.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      faults.push(message.text());
    }
  });
  await page.goto(url);
  return { page, requests, faults };
}

/** A browser and a server for the tests of one file. */
export interface Site {
  readonly origin: string;
  /** Opens a path of the server, or another URL, in a new context. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** Starts both before the tests of a file, and stops both afterwards. */
export function useBrowser(server: DecisionServer): Site {
  let browser: Browser | undefined;
  let origin = "";
  beforeAll(async () => {
    origin = await start(server);
    browser = await launch();
  });
  // A page that stays open goes on loading and drawing.
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await server.close();
  });
  return {
    get origin() {
      return origin;
    },
    visit(path, options) {
      if (browser === undefined) throw new Error("no browser yet");
      return visit(browser, new URL(path, origin).href, options);
    },
  };
}

/** Starts a server on a free port and returns its origin. */
export async function start(server: DecisionServer): Promise<string> {
  await server.listen(0);
  const address = server.handler.server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return `http://localhost:${address.port}`;
}

/** The visible text of an element. */
export async function shown(locator: Locator): Promise<string> {
  await locator.first().waitFor();
  return (await locator.allInnerTexts()).join("\n").trim();
}

/** Presses Evaluate. Waits until the page shows the reply to this call, because it may still show an earlier one. */
export async function pressEvaluate(page: Page): Promise<Response> {
  // The page may also evaluate by itself, on another path.
  const answered = page.waitForResponse(
    (response) => response.request().method() === "POST" && !response.url().includes("/docs/live/"),
  );
  await page.getByRole("button", { name: "Evaluate" }).click();
  const response = await answered;
  const id = response.headers()["x-request-id"];
  if (id === undefined) throw new Error(`no request id in the reply from ${response.url()}`);
  await page.locator(".request-id").getByText(id, { exact: true }).waitFor();
  return response;
}

/** Waits until the opened decision has loaded: its name is shown before its form. A narrow list hides the form. */
export async function formLoaded(page: Page): Promise<void> {
  await page.locator("form.call").waitFor({ state: "attached" });
}

/** The button of an example, which shows what its author expects too. */
export function example(page: Page, name: string): Locator {
  return page.locator("button.chip").filter({ has: page.getByText(name, { exact: true }) });
}

/** Opens one of the tabs below the outcome. */
export function openTab(page: Page, name: "Why" | "Compare" | "History" | "Call it"): Promise<void> {
  return page.getByRole("tab", { name, exact: true }).click();
}

/** Selects one of a row of radio buttons. */
export function choose(scope: Locator | Page, option: string): Promise<void> {
  return scope.getByRole("radio", { name: option, exact: true }).check();
}

/** What is wrong in light and in dark colours: what axe finds, and a page that is wider than the screen. */
export async function problems(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const screen = page.viewportSize()?.width ?? 0;
  for (const [colorScheme, what] of [
    ["light", "everything"],
    ["dark", "colours"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page, what)));
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (width > screen) found.push(`width: ${width} pixels on a screen of ${screen}`);
  }
  return found;
}
