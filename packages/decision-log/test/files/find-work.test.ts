import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { collect } from "../../../../test/support/collect.js";
import { Sealer } from "../../../../test/support/sealed-records.js";
import { ndjsonFiles, type StoredQuery } from "../../src/index.js";

const morning = Date.UTC(2026, 2, 3, 9);
const logger = { error: () => {}, warn: () => {}, info: () => {} };
const directories: string[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

/** A store with so many records, a second apart, and three more in the middle that differ from them in everything. */
async function storeWith(count: number) {
  const directory = await mkdtemp(join(tmpdir(), "decern-find-"));
  directories.push(directory);
  const store = ndjsonFiles(directory);
  const writer = await store.open({ logger });
  const sealer = new Sealer(writer.head);
  const others = [1, 2, 3].map((number) => ({
    caller: "rare",
    requestId: `rare-${number}`,
    subject: "sha256:rare",
    matchedRule: "rare",
    status: "NO_MATCH" as const,
    decision: { id: number === 3 ? "loan" : "rare", version: "2.0.0" },
  }));
  const wishes = Array.from({ length: count }, (_, index) => ({
    caller: "usual",
    requestId: `usual-${index}`,
    subject: "sha256:usual",
    matchedRule: "usual",
    // What is looked for is in the payloads too, as text.
    payload: { input: { quoted: 'rare "caller":"rare"' } },
  }));
  const all = [...wishes.slice(0, count / 2), ...others, ...wishes.slice(count / 2)];
  const made = all.map((wish, index) => sealer.seal({ recordedAtMs: morning + index * 1000, ...wish }));
  for (let at = 0; at < made.length; at += 500) {
    const records = made.slice(at, at + 500).map(({ sealed }) => sealed);
    await writer.write({ records, kept: new Map() });
  }
  await writer.close();
  return { store, rare: made.slice(count / 2, count / 2 + 3).map(({ record }) => record) };
}

/** How many records a query finds, and how many lines are parsed for that. */
async function workOf(store: ReturnType<typeof ndjsonFiles>, query: StoredQuery) {
  const parse = vi.spyOn(JSON, "parse");
  const found = await collect(store.find(query));
  const parsed = parse.mock.calls.length;
  parse.mockRestore();
  return { found: found.length, parsed };
}

describe("find in files", () => {
  const queries: readonly (readonly [string, number, StoredQuery])[] = [
    ["a request id", 1, { requestId: "rare-2" }],
    ["a person", 3, { subjects: ["sha256:rare", "sha256:nobody"] }],
    ["a caller", 3, { caller: "rare" }],
    ["a rule", 3, { rule: "rare" }],
    ["a status", 3, { status: "NO_MATCH" }],
    ["a decision", 2, { decision: "rare" }],
    ["a version", 3, { version: "2.0.0" }],
    ["a caller and more", 3, { caller: "rare", status: "NO_MATCH", version: "2.0.0" }],
    ["what is not there", 0, { requestId: "never" }],
  ];

  it.each(queries)(
    "parses only lines that match, however many others there are: %s",
    async (_what, found, query) => {
      for (const count of [100, 4000]) {
        const { store } = await storeWith(count);
        expect(await workOf(store, query)).toEqual({ found, parsed: found });
        expect(await workOf(store, { ...query, newestFirst: true })).toEqual({ found, parsed: found });
        await store.close();
      }
    },
  );

  it("parses only lines of the time that is asked for, and of a record id", async () => {
    const { store, rare } = await storeWith(4000);
    const [first, , last] = rare;
    const from = new Date(first?.recordedAt ?? 0);
    const to = new Date(last?.recordedAt ?? 0);
    expect(await workOf(store, { from, to })).toEqual({ found: 2, parsed: 2 });
    expect(await workOf(store, { recordId: last?.recordId })).toEqual({ found: 1, parsed: 1 });
    await store.close();
  });

  it("parses a portion of the lines for the newest few", async () => {
    for (const count of [1000, 4000]) {
      const { store } = await storeWith(count);
      const { found, parsed } = await workOf(store, { newestFirst: true, limit: 10 });
      expect(found).toBe(10);
      expect(parsed).toBeLessThanOrEqual(300);
      await store.close();
    }
  });
});
