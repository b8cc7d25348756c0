import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decisionLog, type RecordStore } from "@decern/decision-log";
import { createServer } from "@decern/server";
import { onTestFinished } from "vitest";
import { loan } from "./modules/loan.mjs";

/** The built command. */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export const subjectKey = "a secret of at least 16 bytes";

export function moduleFile(name: string): string {
  return fileURLToPath(new URL(`./modules/${name}.mjs`, import.meta.url));
}

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "decern-cli-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Records loans of these amounts, as a service with a decision log does: one an hour, each of a customer `C-<amount>`. Any other amount is invalid. */
export async function recordLoans(
  store: RecordStore,
  amounts: readonly unknown[],
  from = "2026-03-01T00:00:00Z",
): Promise<void> {
  const log = decisionLog({
    store,
    build: "build-1",
    mask: { loan: ["/input/customer"] },
    subject: { key: subjectKey, of: { loan: customerOf } },
    logger: { error: console.error },
  });
  let hours = 0;
  const server = createServer({
    decisions: [loan()],
    profiles: { loan: { small: 100 } },
    log,
    clock: { now: () => Date.parse(from) + hours * 3_600_000, monotonic: () => performance.now() },
  });
  for (const amount of amounts) {
    const name = typeof amount === "number" ? amount : hours;
    const payload = { input: { amount, customer: `C-${name}` } };
    const headers = { "x-request-id": `request-${name}` };
    await server.handler.inject({ method: "POST", url: "/decisions/loan", headers, payload });
    hours += 1;
  }
  await server.close();
  await log.close();
}

function customerOf(input: unknown): string | undefined {
  const { customer }: { customer?: unknown } = Object(input);
  return typeof customer === "string" ? customer : undefined;
}

/** The lines of a text, as JSON. */
export function jsonLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
