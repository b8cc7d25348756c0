import { AxeBuilder } from "@axe-core/playwright";
import type { DecisionServer } from "@decern/server";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** Starts Debian's Chromium with a fresh profile, and nothing that calls home. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--headless",
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

/** A page, and what must never happen on it. */
export interface Visit {
  readonly page: Page;
  /** Addresses of all requests. */
  readonly requests: readonly string[];
  /** Exceptions, and what the browser refused to do. */
  readonly faults: readonly string[];
}

/** Opens an address in a context of its own. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  // Longer than any test: a page is waited for as long as it takes.
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
    // That a reply is 400 is what some tests ask for.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      faults.push(message.text());
    }
  });
  await page.goto(url);
  return { page, requests, faults };
}

/** A browser, and a server that it visits, for the tests of one file. */
export interface Site {
  readonly origin: string;
  /** Opens a path of the server, or the address of another, in a context of its own. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** Starts both before the tests of a file, and ends both after them. */
export function useBrowser(server: DecisionServer): Site {
  let browser: Browser | undefined;
  let origin = "";
  beforeAll(async () => {
    origin = await start(server);
    browser = await launch();
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

/** Starts a server on a free port and tells its origin. */
export async function start(server: DecisionServer): Promise<string> {
  await server.listen(0);
  const address = server.handler.server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return `http://localhost:${address.port}`;
}

/** The text of an element, as it is shown. */
export async function shown(locator: Locator): Promise<string> {
  await locator.first().waitFor();
  return (await locator.allInnerTexts()).join("\n").trim();
}

/** Picks one of the options that stand side by side. */
export function choose(scope: Locator | Page, option: string): Promise<void> {
  return scope.getByRole("radio", { name: option, exact: true }).check();
}

/** What axe finds wrong with a page as it is now. */
export async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
