import { existsSync } from "node:fs";
import { defineDecision } from "@decern/core";
import { createServer } from "@decern/server";
import { type Browser, chromium, type Page } from "playwright-core";
import { z } from "zod";
import { quantile } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { atMost, round, type Table, type Target } from "./table.js";

const objects = 500;

/** Sums up as many objects as a form should bear. */
const crowd = defineDecision({
  id: "crowd",
  version: "1.0.0",
  meta: {
    headline: { sum: "{} in all" },
    examples: [
      {
        name: "Many",
        input: { people: Array.from({ length: objects }, (_, age) => ({ name: `Person ${age}`, age })) },
      },
    ],
  },
  inputSchema: z.object({ people: z.array(z.object({ name: z.string(), age: z.number() })) }),
  outputSchema: z.object({ sum: z.number() }),
  profileSchema: z.object({}),
  rules: [
    {
      id: "counted",
      when: () => true,
      emit: ({ people }) => ({ sum: people.reduce((sum, { age }) => sum + age, 0) }),
    },
  ],
});

const chrome = "/usr/bin/chromium-headless-shell";

/** The docs page in Debian's Chromium: how soon it follows a key, how soon it shows, and how much of it moves. */
export async function pagesTable({ pages: { keys, loads } }: Sizes): Promise<Table> {
  const about = {
    title: "The docs page, in Chromium",
    note: `${objects} objects in the form, ${keys} keys, each evaluated after 250 ms of rest; ${loads} loads with an empty cache. 1.6 Mbit/s: with 150 ms a round trip.`,
    columns: ["", "p50", "p90"],
  };
  if (!existsSync(chrome))
    return { ...about, rows: [["Chromium is not installed", "skipped", ""]], targets: [] };
  const server = createServer({ decisions: [crowd], logger: false });
  const browser = await chromium.launch({ executablePath: chrome, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await server.handler.listen({ port: 0 });
    const address = server.handler.server.address();
    if (address === null || typeof address === "string") throw new Error("not listening");
    const url = `http://localhost:${address.port}/docs#/crowd`;
    const { verdicts, frames } = await typed(browser, url, keys);
    const { paints, shifts } = await loaded(browser, url, loads);
    const measured: readonly (readonly [
      what: string,
      limit: number,
      unit: string,
      values: readonly number[],
    ])[] = [
      ["key to result", 350, " ms", verdicts],
      ["key to next frame", 50, " ms", frames],
      ["first paint at 1.6 Mbit/s", 900, " ms", paints],
      ["layout shift", 0.02, "", shifts],
    ];
    return {
      ...about,
      rows: measured.map(([what, , unit, values]) => [
        what,
        ...[0.5, 0.9].map((part) => `${round(quantile(values, part))}${unit}`),
      ]),
      targets: measured.map(
        ([what, limit, unit, values]): Target => atMost(what, limit, quantile(values, 0.9), unit),
      ),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Notes for each key how long the next frame takes, and how long until the result is another. */
const watchKeys = `
  addEventListener("keydown", ({ timeStamp }) => {
    const answer = document.querySelector(".outcome .answer");
    const before = answer.textContent;
    const seen = {};
    requestAnimationFrame(() => setTimeout(() => { seen.frame = performance.now() - timeStamp; }));
    const observer = new MutationObserver(() => {
      const now = document.querySelector(".outcome .answer")?.textContent;
      if (now === undefined || now === before) return;
      observer.disconnect();
      seen.verdict = performance.now() - timeStamp;
      globalThis.tell(seen);
    });
    observer.observe(document.querySelector(".outcome"), { subtree: true, childList: true, characterData: true });
  }, true);`;

const seen = z.object({ frame: z.number(), verdict: z.number() });

/** Switches one of the numbers between 17 and 1, each time after the result of the change before has appeared. */
async function typed(browser: Browser, url: string, keys: number) {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator(".outcome .answer").getByText("in all").waitFor();
  await page.locator("[id='input/people/7']").click();
  const field = page.locator("[id='input/people/7/age']");
  await field.fill("1");
  await page.locator(".outcome:not(.old) .answer").getByText("124,744 in all").waitFor();
  await page.evaluate(watchKeys);
  const verdicts: number[] = [];
  const frames: number[] = [];
  for (let key = 0; key < keys; key += 1) {
    await page.evaluate("void (globalThis.told = new Promise((resolve) => { globalThis.tell = resolve; }))");
    await field.press(key % 2 === 0 ? "7" : "Backspace");
    const { frame, verdict } = seen.parse(await page.evaluate("globalThis.told"));
    frames.push(frame);
    verdicts.push(verdict);
  }
  await page.close();
  return { verdicts, frames };
}

const watchShifts = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`;

async function loaded(browser: Browser, url: string, loads: number) {
  const paints: number[] = [];
  const shifts: number[] = [];
  for (let load = 0; load < loads; load += 1) {
    for (const isSlow of [true, false]) {
      // A context of its own has an empty cache.
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.addInitScript(watchShifts);
      if (isSlow) await slowDown(page);
      await page.goto(url);
      await page.locator(".outcome .answer").getByText("in all").waitFor();
      shifts.push(z.number().parse(await page.evaluate("shift")));
      if (isSlow) {
        const paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime";
        paints.push(z.number().parse(await page.evaluate(paint)));
      }
      await context.close();
    }
  }
  return { paints, shifts };
}

/** A phone on a fast 3G network. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const bytesPerSecond = 1_600_000 / 8;
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond / 2,
  });
}
