import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DecisionLog } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { root } from "../examples/page-examples.js";
import { CiJob } from "../replay/ci-job.js";
import { Guide, Shell } from "../support/guide.js";
import { editWorkbook, replaceNumber, replaceText } from "../support/libre-office.js";
import { freePort } from "../support/listening.js";
import { atOneInstant, FleetClients, type Question } from "./fleet-clients.js";

const guide = new Guide("docs/changing-tables.md");
let folder: string;
let ci: CiJob;
let shell: Shell;
// For each attempt: the first one edits its files.
beforeEach(() => {
  // In the demo's folder, which can import every package.
  folder = mkdtempSync(resolve(root, "apps/demo/test/fleet/.analyst-"));
  ci = new CiJob("table", join(folder, "ci"));
  shell = new Shell(folder);
});
afterEach(async () => {
  await shell.end();
  await ci.end();
  rmSync(folder, { recursive: true, force: true });
});

/** What the analyst does by hand, as the guide says it. */
const [, fee = "", newFee = "", version = "", newVersion = ""] =
  /from `(\S+)` to `(\S+)` and the version from `(\S+)` to `(\S+)`/.exec(guide.text) ?? [];

/** Parcels of one to twenty kilograms: the analyst's change is about the lightest. Both the row and the version tell the table. */
const question: Question<{
  readonly data?: { readonly fee: number };
  readonly meta: { decisionVersion: string };
}> = {
  decision: "shipping-fee",
  inputOf: (call) => ({ customer: "somebody else", weightKg: 1 + (call % 20) }),
  setsIn: ({ data, meta }) => {
    const set = [version, newVersion].indexOf(meta.decisionVersion) + 1;
    const row = [fee, newFee].indexOf(String(data?.fee)) + 1;
    return [set, row === 0 ? set : row];
  },
};

/** Enough answers of one process to tell a rule from an accident. */
const enough = 30;

interface Readiness {
  readonly decisions: {
    readonly revision: string;
    readonly next?: { readonly revision: string; readonly activateAt: string };
  };
}

async function readinessOf({ url }: { readonly url: string }): Promise<Readiness> {
  return JSON.parse(await (await fetch(`${url}/health/ready`)).text());
}

/** A module whose service looks often for tables, and on a busy machine waits longer than in production. */
function inHaste(module: string): string {
  return module
    .replace("watchDecisions({", "watchDecisions({ everyMs: 100, timeoutMs: 60_000,")
    .replace("activate: {", "activate: { timeoutMs: 120_000,")
    .replace('durable: "reply",', 'durable: "reply", writeTimeoutMs: 60_000,');
}

/** Which tables answered, and when. */
async function tablesIn(
  records: Pick<DecisionLog, "find">,
  activateAtMs: number,
): Promise<ReadonlySet<string>> {
  const tables = new Set<string>();
  for await (const { decision, contentHash, payload } of records.find()) {
    const { meta } = JSON.parse(JSON.stringify(payload?.result));
    const isAfter = Date.parse(meta.evaluatedAt) >= activateAtMs;
    tables.add(`${decision.version} ${contentHash} ${isAfter ? "from" : "until"} the instant`);
  }
  return tables;
}

it("an analyst's change, from a spreadsheet to the audit, as the guide tells it", async () => {
  const [serve = "", compare = "", publish = "", find = "", show = "", ...others] = guide.blocks("sh");
  expect(others).toEqual([]);
  guide.writeFiles(folder);
  const module = readFileSync(join(folder, "decisions.ts"), "utf8");
  writeFileSync(join(folder, "decisions.ts"), inHaste(module));
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const typed = (block: string): string =>
    block.replaceAll(/\b300([123])\b/g, (_port, digit) => String(ports[Number(digit) - 1]));
  const fleet = ports.map((port) => ({ url: `http://127.0.0.1:${port}` }));

  // A busy machine takes longer to start three.
  await shell.type(typed(serve).replace("--retry 60", "--retry 600"));
  const begun = (await readinessOf(fleet[0] ?? { url: "" })).decisions.revision;

  await editWorkbook(join(folder, "tables/fee.xlsx"), (xml) =>
    replaceText(replaceNumber(xml, Number(fee), Number(newFee)), version, newVersion),
  );
  const compared = await shell.type(compare);
  expect(compared).toContain('table "shipping-fee" is valid');
  expect(compared).toContain("exit code 2");

  // What CI has: the branch, what is in production, and records.
  mkdirSync(ci.folder);
  await ci.start();
  for (const name of ["contracts.ts", "decisions.ts", "tables", "records"])
    cpSync(join(folder, name), join(ci.folder, name), { recursive: true });
  cpSync(join(folder, "live/1"), join(ci.folder, "before/tables"), { recursive: true });
  for (const step of ["Check", "Compare", "Replay", "Comment"])
    expect(await ci.step(step), step).toMatchObject({ code: 0 });
  const [comment, another] = ci.gitHub.comments;
  expect(another).toBeUndefined();
  const row = [`<code>letter</code>`, `<code>→ fee</code>`, `<code>${fee}</code>`, `<code>${newFee}</code>`];
  expect(comment?.body).toContain(`| ${row.join(" | ")} |`);
  expect(comment?.body).toContain("Replay: 1 of 20 results changed");
  // What the reader wrote by hand is the same.
  for (const file of ["diff.md", "replay.md"])
    expect(ci.read(file), file).toBe(readFileSync(join(folder, file), "utf8"));

  const clients = new FleetClients(fleet, 2, question);
  await expect.poll(() => Math.min(...clients.answeredWith(1))).toBeGreaterThan(enough);
  /** Types the commands that publish, for another instant, and waits until every process has the set. */
  const publishFor = async (activateAtMs: number, place: number): Promise<void> => {
    const activateAt = new Date(activateAtMs).toISOString();
    const next = { revision: "2026-12", activateAt };
    const block = publish.replace("2026-12-01T00:00:00Z", activateAt);
    await shell.type(block.replaceAll(/(live\/|ln -s )2/g, `$1${place}`));
    await expect
      .poll(async () => (await Promise.all(fleet.map(readinessOf))).map(({ decisions }) => decisions))
      .toEqual(fleet.map(() => expect.objectContaining({ revision: begun, next })));
  };
  const day = 86_400_000;
  const publishedMs = Date.now();
  await publishFor(publishedMs + day, 2);
  // It is published again, for an instant that leaves several times as long.
  const neededMs = Date.now() - publishedMs;
  const activateAtMs = Date.now() + 2000 + 5 * neededMs;
  await publishFor(activateAtMs, 3);
  await expect.poll(() => Math.min(...clients.answeredWith(2))).toBeGreaterThan(enough);
  await clients.end();
  expect(clients.around(2, activateAtMs)).toEqual(atOneInstant);

  const found = await shell.type(typed(find));
  const answers = [...found.matchAll(/"contentHash":"(sha256:[0-9a-f]{64})"\n"fee":(\S+)/g)];
  expect(answers.map(([, , paid]) => paid)).toEqual([fee, newFee]);
  const [before = "", after = ""] = answers.map(([, hash = ""]) => hash);
  const shown = await shell.type(typed(show).replace("sha256:…", before));
  expect(shown.split("\n")).toEqual(expect.arrayContaining([...guide.shownLines]));
  expect(shown).toContain("No problems found");

  const log = decisionLog({ store: ndjsonFiles(join(folder, "records")) });
  expect(await tablesIn(log, activateAtMs)).toEqual(
    new Set([`${version} ${before} until the instant`, `${newVersion} ${after} from the instant`]),
  );
  for (const [hash, paid] of [
    [before, fee],
    [after, newFee],
  ] as const)
    expect((await log.content(hash))?.document).toMatchObject({
      rules: [{ id: "letter", then: [Number(paid)] }, { id: "parcel" }, { id: "heavy" }],
    });
  await log.close();
}, 600_000);
