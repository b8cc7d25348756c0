import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecisionRecord } from "@decern/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { collect } from "../../../../test/support/collect.js";
import { type RecordWishes, Sealer } from "../../../../test/support/sealed-records.js";
import { ndjsonFiles, recordFiles, type StoredQuery } from "../../src/index.js";

const morning = Date.UTC(2026, 2, 3, 9);
const logger = { error: () => {}, warn: () => {}, info: () => {} };
const count = 600;
/** A file has several blocks of them. */
const padding = "x".repeat(4000);

async function directoryWith(lanes: readonly (readonly number[])[], rotateBytes: number) {
  const directory = await mkdtemp(join(tmpdir(), "decern-newest-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const stores = lanes.map(() => ndjsonFiles(directory, { rotateBytes }));
  const all: DecisionRecord[] = [];
  for (const [lane, times] of lanes.entries()) {
    const writer = await stores[lane]?.open({ logger });
    const sealer = new Sealer(writer?.head);
    const made = times.map((ms, index) => {
      const wishes: RecordWishes = {
        recordedAtMs: morning + ms,
        caller: index % 50 === 0 ? "rare" : "usual",
        payload: { input: padding },
      };
      return sealer.seal(wishes);
    });
    await writer?.write({ records: made.map(({ sealed }) => sealed), kept: new Map() });
    all.push(...made.map(({ record }) => record));
  }
  for (const store of stores) await store.close();
  const names = (await readdir(directory)).filter((name) => name.endsWith(".ndjson"));
  return { directory, all, paths: names.map((name) => join(directory, name)) };
}

/** What a query finds in everything, by the order of its times alone. */
function expected(
  all: readonly DecisionRecord[],
  { from, to, caller, limit }: StoredQuery,
): readonly string[] {
  return all
    .filter(({ recordedAt }) => from === undefined || recordedAt >= from.toISOString())
    .filter(({ recordedAt }) => to === undefined || recordedAt < to.toISOString())
    .filter((record) => caller === undefined || record.caller === caller)
    .map(({ recordedAt }) => recordedAt)
    .sort()
    .reverse()
    .slice(0, limit);
}

const inOrder = Array.from({ length: count }, (_, index) => index * 1000);
const orders: Readonly<Record<string, readonly number[]>> = {
  "in order": inOrder,
  "with a clock that was set back": inOrder.map((ms, index) => (index < count * 0.9 ? ms : ms - 300_500)),
  "in the opposite order": inOrder.toReversed(),
  "in no order": inOrder.map((_, index) => ((index * 7919) % count) * 1000),
  "at few instants": inOrder.map((ms) => Math.floor(ms / 200_000) * 200_000),
};

describe.each(Object.entries(orders))("newest first, in files %s", (_name, times) => {
  it("finds what a sort finds, whatever the limit, in one file or many", async () => {
    const behind = times.map((ms) => ms + 500);
    for (const rotateBytes of [1_000_000_000, 350_000]) {
      const { directory, all, paths } = await directoryWith([times, behind.slice(0, 300)], rotateBytes);
      const [from, to] = [new Date(morning + 100_000), new Date(morning + 400_500)];
      for (const store of [ndjsonFiles(directory), recordFiles(paths)]) {
        const whole = (await collect(store.find({ newestFirst: true }))).map(({ recordId }) => recordId);
        expect(new Set(whole).size).toBe(all.length);
        for (const query of [
          {},
          { limit: 1 },
          { limit: 7 },
          { limit: 500 },
          { caller: "rare" },
          { caller: "rare", limit: 5 },
          { from, to },
          { from, to, limit: 3 },
        ]) {
          const found = await collect(store.find({ ...query, newestFirst: true }));
          expect(found.map(({ recordedAt }) => recordedAt)).toEqual(expected(all, query));
        }
        // Records of one instant have one order, so that pages follow one another.
        for (const limit of [3, 450]) {
          const page = await collect(store.find({ newestFirst: true, limit }));
          expect(page.map(({ recordId }) => recordId)).toEqual(whole.slice(0, limit));
        }
      }
    }
  });
});

/** Counts the bytes that are read of files. */
async function countReads(path: string) {
  const handle = await open(path, "r");
  const reads = vi.spyOn(Object.getPrototypeOf(handle), "read");
  await handle.close();
  onTestFinished(() => reads.mockRestore());
  return async (work: () => Promise<unknown>): Promise<number> => {
    reads.mockClear();
    await work();
    const results = await Promise.all(reads.mock.results.map(({ value }) => value));
    return results.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  };
}

it("reads a file from its end, and each block once for its times", async () => {
  const many = Array.from({ length: 2500 }, (_, index) => index * 1000);
  const { directory, paths } = await directoryWith([many], 1_000_000_000);
  const { size } = await stat(paths[0] ?? "");
  const bytesIn = await countReads(paths[0] ?? "");
  const bytesOf = (query: StoredQuery) => bytesIn(() => collect(store.find({ ...query, newestFirst: true })));
  const store = ndjsonFiles(directory);
  // With the beginning of the next one, up to the end of the last line.
  const block = 576 * 1024;
  const header = 16 * 1024;
  expect(size).toBeGreaterThan(10 * block);
  expect(await bytesOf({ limit: 5 })).toBeLessThanOrEqual(2 * block + header);
  expect(await bytesOf({ limit: 5 })).toBeLessThanOrEqual(block + header);
  // The first 4 MiB may have any order.
  expect(await bytesOf({ to: new Date(morning + 10_000) })).toBeLessThanOrEqual(1.2 * size);
  expect(await bytesOf({ to: new Date(morning + 10_000) })).toBeLessThanOrEqual(block + header);
  // What has changed since is read again.
  const writer = await store.open({ logger });
  const { record, sealed } = new Sealer(writer.head).seal({ recordedAtMs: morning + 5_000_000 });
  await writer.write({ records: [sealed], kept: new Map() });
  expect(await collect(store.find({ newestFirst: true, limit: 1 }))).toEqual([record]);
  await store.close();
});

it("begins a file for late records, but not for each of those that come in any order", async () => {
  const late = inOrder.map((ms, index) => (index % 2 === 0 ? ms : ms - 100_000));
  const { paths } = await directoryWith([[...inOrder, ...inOrder, ...late]], 1_000_000_000);
  expect(paths.length).toBeGreaterThan(1);
  expect(paths.length).toBeLessThan(5);
});

it("reads no file of the same day again that has only older records, however many there are", async () => {
  const { directory, paths } = await directoryWith([inOrder], 30_000);
  // More than whose blocks are kept.
  expect(paths.length).toBeGreaterThan(80);
  const bytesIn = await countReads(paths[0] ?? "");
  const store = ndjsonFiles(directory);
  const newest = () => collect(store.find({ limit: 5, newestFirst: true }));
  const first = await newest();
  const headers = paths.length * 16 * 1024;
  expect(await bytesIn(newest)).toBeLessThanOrEqual(headers + 4 * 40_000);
  expect(await newest()).toEqual(first);
});

it("stops reading once nobody wants any more", async () => {
  const { directory, paths } = await directoryWith([inOrder], 400_000);
  const bytesIn = await countReads(paths[0] ?? "");
  const store = ndjsonFiles(directory);
  for (const newestFirst of [false, true]) {
    const find = () => store.find({ newestFirst, caller: "nobody" })[Symbol.asyncIterator]();
    const all = await bytesIn(() => find().next());
    const some = await bytesIn(async () => {
      const iterator = find();
      const next = iterator.next();
      await new Promise((resolve) => setImmediate(resolve));
      await iterator.return?.();
      expect(await next).toEqual({ done: true, value: undefined });
    });
    expect(some).toBeLessThan(all / 2);
  }
  await store.close();
});
