import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { apiKeys, createServer } from "@decern/server";
import { tableContract } from "@decern/table";
import { watchDecisions } from "@decern/watch";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { formLoaded, shown, useBrowser } from "./browser.js";
import { giveKey } from "./records-site.js";

const contract = tableContract({
  id: "fee",
  inputSchema: z.object({ weight: z.number() }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({}),
});

function setOf(mark: number) {
  const document = {
    table: "fee",
    version: `${mark}.0.0`,
    hitPolicy: "U",
    inputs: [{ path: "weight" }],
    outputs: [{ path: "fee" }],
    rules: [{ id: "all", if: ["-"], then: [mark] }],
  };
  return { revision: `fees-${mark}`, decisions: [{ name: "fee", document }], profiles: { fee: {} } };
}

let set = setOf(1);
let load = (): void => {};
const decisions = watchDecisions({
  load: () => set,
  contracts: [contract],
  wake: (wake) => {
    load = wake;
    return undefined;
  },
});
const directory = mkdtempSync(join(tmpdir(), "decern-watched-"));
const log = decisionLog({ store: ndjsonFiles(directory), durable: "reply" });
const key = "k3y-of-the-auditor";
const server = createServer({
  decisions,
  log,
  records: () => true,
  authenticate: apiKeys({ keys: { auditor: key } }),
  logger: false,
});
const site = useBrowser(server);
afterAll(async () => {
  await log.close();
  await rm(directory, { recursive: true });
});

it("shows which set is in use, since when and from where, also after another one has taken its place", async () => {
  const { page, faults } = await site.visit("/docs#/fee");
  await giveKey(page);
  await formLoaded(page);
  const loaded = page.locator("dl.meta > div").filter({ hasText: "Loaded" }).locator("dd");
  const inUse = /^revision fees-1, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, from load$/;
  expect(await shown(loaded)).toMatch(inUse);
  set = setOf(2);
  load();
  await expect
    .poll(async () => {
      await page.reload();
      await formLoaded(page);
      return shown(loaded);
    })
    .toMatch(/^revision fees-2, since /);
  expect(faults).toEqual([]);
});

it("shows in a record which set decided", async () => {
  const reply = await server.handler.inject({
    method: "POST",
    url: "/decisions/fee",
    headers: { "x-api-key": key },
    payload: { input: { weight: 1 } },
  });
  const id = String(reply.headers["decern-record-id"]);
  const { page } = await site.visit(`/records#/${id}`);
  await giveKey(page);
  const revision = page.getByRole("region", { name: "Revision", exact: true });
  const fact = (name: string) =>
    shown(revision.locator("dl.facts > div").filter({ hasText: name }).locator("dd"));
  expect(await fact("Decision set")).toBe("fees-2");
  expect(await fact("Profile set")).toBe("fees-2");
  expect(await fact("Content hash")).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it("says when the browser has no room for a draft, and no longer once it has", async () => {
  const { page } = await site.visit("/docs#/fee");
  await giveKey(page);
  await formLoaded(page);
  await page.getByRole("button", { name: "Edit a copy" }).click();
  await page.getByText("Every cell can be read.").waitFor();
  // Takes all that is left of the few million characters that an origin has.
  await page.evaluate(`for (let size = 2 ** 22; size >= 1; size /= 2)
    try { for (let at = 0; ; at += 1) localStorage.setItem("room " + size + " " + at, "x".repeat(size)); } catch {}`);
  const type = async (text: string): Promise<void> => {
    await page.locator(".edit-grid [data-row='0'] [data-column='2']").click();
    await page.keyboard.press("F2");
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(text);
    await page.keyboard.press("Enter");
  };
  await type("7");
  const alert = page.getByRole("alert").filter({ hasText: "The browser has no room for this draft" });
  await alert.waitFor();
  await page.evaluate("localStorage.clear()");
  await type("8");
  await alert.waitFor({ state: "detached" });
});
