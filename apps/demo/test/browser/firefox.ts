import type { DecisionServer } from "@decern/server";
import { type Browser, launch, type Page } from "puppeteer-core";
import { afterAll, beforeAll } from "vitest";
import { start } from "./browser.js";

/** Debian's Firefox and a server, for the tests of one file. Puppeteer speaks WebDriver BiDi to it; Playwright needs its own build. */
export interface FirefoxSite {
  readonly origin: string;
  /** Opens a path in a new tab, and collects exceptions in `faults`. */
  open(path: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }>;
}

/** Starts both before the tests of a file, and stops both afterwards. */
export function useFirefox(server: DecisionServer): FirefoxSite {
  let browser: Browser | undefined;
  let origin = "";
  beforeAll(async () => {
    origin = await start(server);
    browser = await launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true });
  });
  afterAll(async () => {
    await browser?.close();
    await server.close();
  });
  return {
    get origin() {
      return origin;
    },
    async open(path) {
      if (browser === undefined) throw new Error("no browser yet");
      const page = await browser.newPage();
      // Only the test runner limits the wait.
      page.setDefaultTimeout(600_000);
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(String(error)));
      await page.goto(origin + path);
      return { page, faults };
    },
  };
}
