import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DecisionLog, decisionLog, ndjsonFiles } from "@decern/decision-log";
import { createServer, type DecisionServer } from "@decern/server";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll } from "vitest";
import { type Site, useBrowser, type Visit } from "./browser.js";
import { loanProfiles, loans, loanVersions } from "./loans.js";

const key = "k3y-of-the-auditor";
/** Its caller may evaluate, but not look at records. */
export const shopKey = "k3y-of-the-shop";
const callers: ReadonlyMap<unknown, string> = new Map([
  [key, "branch-office"],
  [shopKey, "web-shop"],
]);

/** A server with a decision log in files, and the page that reads it. */
export interface RecordsSite {
  readonly site: Site;
  readonly server: DecisionServer;
  readonly log: DecisionLog;
  /** Evaluates a loan at an instant, and returns the id of its record. */
  apply(call: LoanCall): Promise<string>;
  /** Opens the page at a fragment and gives the key. */
  open(fragment?: string, options?: BrowserContextOptions): Promise<Visit>;
}

export interface LoanCall {
  readonly at: string;
  readonly version?: string;
  readonly requestId?: string;
  readonly body: unknown;
}

/** Starts the server and a browser for the tests of a file. */
export function useRecords(): RecordsSite {
  const directory = mkdtempSync(join(tmpdir(), "decern-records-"));
  let now = 0;
  const log = decisionLog({
    store: ndjsonFiles(directory),
    build: "4f2c9e1",
    mask: { loan: ["/input/applicant/name"] },
    subject: {
      key: "0123456789abcdef0123456789abcdef",
      of: { loan: personOf },
    },
  });
  const server = createServer({
    decisions: loans,
    versions: { loan: loanVersions },
    profiles: loanProfiles,
    callerProfiles: { loan: ["strict"] },
    authenticate: ({ headers }) => {
      const caller = callers.get(headers["x-api-key"]);
      return caller !== undefined && { caller };
    },
    clock: { now: () => now, monotonic: () => performance.now() },
    logger: false,
    log,
    records: ({ identity }) => identity?.caller === "branch-office",
  });
  const site = useBrowser(server);
  afterAll(async () => {
    await log.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    site,
    server,
    log,
    async apply({ at, version, requestId, body }) {
      now = Date.parse(at);
      const path = version === undefined ? "" : `/versions/${encodeURIComponent(version)}`;
      const reply = await server.handler.inject({
        method: "POST",
        url: `/decisions/loan${path}`,
        headers: {
          "content-type": "application/json",
          "x-api-key": key,
          ...(requestId === undefined ? {} : { "x-request-id": requestId }),
        },
        payload: JSON.stringify(body),
      });
      const id = reply.headers["decern-record-id"];
      if (typeof id !== "string") throw new Error(`not recorded: ${reply.body}`);
      return id;
    },
    async open(fragment = "", options = {}) {
      const opened = await site.visit(`/records${fragment}`, options);
      await giveKey(opened.page);
      return opened;
    },
  };
}

/** Types a key into the form that asks for it. */
export async function giveKey(page: Page, given = key): Promise<void> {
  await page.getByRole("heading", { name: "This service requires an API key" }).waitFor();
  await page.getByLabel("API key").fill(given);
  await page.keyboard.press("Enter");
  await page.getByRole("banner").getByLabel("API key").waitFor();
}

function personOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("applicant" in input)) return undefined;
  const { applicant } = input;
  if (typeof applicant !== "object" || applicant === null || !("id" in applicant)) return undefined;
  return String(applicant.id);
}
