import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DecisionRecord } from "@decern/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkChains } from "../../../../test/support/check-chains.js";
import { collect } from "../../../../test/support/collect.js";
import { deadPid, leaveLock } from "../../../../test/support/left-lock.js";
import {
  keptProfiles,
  type RecordWishes,
  Sealer,
  sha256,
  testProfile,
  testProfileHash,
} from "../../../../test/support/sealed-records.js";
import { type NdjsonFilesOptions, ndjsonFiles } from "../../src/files/ndjson-files.js";
import type { RecordStore } from "../../src/index.js";

const day = 86_400_000;
const morning = Date.UTC(2026, 2, 3, 9);
let directory = "";
let warned: Readonly<Record<string, unknown>>[] = [];
const logger = {
  error: () => {},
  warn: (details: Readonly<Record<string, unknown>>) => void warned.push(details),
  info: () => {},
};
const stores: RecordStore[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "decern-lanes-"));
  warned = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const store of stores.splice(0)) await store.close();
  await rm(directory, { recursive: true, force: true });
});

function make(options: NdjsonFilesOptions = {}): RecordStore {
  const store = ndjsonFiles(directory, options);
  stores.push(store);
  return store;
}

/** Writes each list of records as one batch. */
async function write(
  store: RecordStore,
  ...batches: readonly (readonly RecordWishes[])[]
): Promise<DecisionRecord[]> {
  const writer = await store.open({ logger });
  const sealer = new Sealer(writer.head);
  const written: DecisionRecord[] = [];
  const other = '{"limit":20}';
  const kept = keptProfiles([testProfileHash, testProfile], [sha256(other), other]);
  for (const wishes of batches) {
    const made = wishes.map((wish) => sealer.seal({ recordedAtMs: morning, ...wish }));
    await writer.write({ records: made.map(({ sealed }) => sealed), kept });
    written.push(...made.map(({ record }) => record));
  }
  return written;
}

async function files(): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith(".ndjson")).sort();
}

async function linesOf(name: string): Promise<string[]> {
  return (await readFile(join(directory, name), "utf8")).split("\n").slice(0, -1);
}

function one(name: string | undefined): string {
  if (name === undefined) throw new Error("there is no file");
  return join(directory, name);
}

it("refuses wrong options, all at once", () => {
  expect(() => ndjsonFiles("", { rotateBytes: 0, keepDays: -1 })).toThrow(
    expect.objectContaining({
      code: "INVALID_OPTIONS",
      problems: ["/directory", "/rotateBytes", "/keepDays"].map((path) => expect.objectContaining({ path })),
    }),
  );
});

describe("a last line that was not written to its end", () => {
  it("is cut off and reported, wherever it ends, and the chain goes on", async () => {
    const store = make();
    const [first] = await write(store, [{}, {}]);
    await store.close();
    const [name] = await files();
    const whole = await readFile(one(name));
    const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let end = lastLine; end < whole.length; end += 1) {
      await writeFile(one(name), whole.subarray(0, end));
      warned = [];
      const later = ndjsonFiles(directory);
      expect(await collect(later.find({}))).toEqual([first]);
      const writer = await later.open({ logger });
      expect(writer.head).toBe(first?.hash);
      expect(warned).toEqual(end === lastLine ? [] : [{ file: name, bytes: end - lastLine }]);
      await later.close();
      expect((await readFile(one(name))).length).toBe(lastLine);
    }
  });

  it("is repaired in lanes that nobody writes any more, and left alone in others", async () => {
    const [first, second] = [make(), make()];
    await write(first, [{}]);
    await write(second, [{}]);
    await second.close();
    for (const name of await files()) await appendFile(one(name), '{"torn');
    await make().open({ logger });
    expect(warned).toEqual([{ file: "2-00000001.ndjson", bytes: 6 }]);
    expect((await readFile(one("1-00000001.ndjson"), "utf8")).endsWith('{"torn')).toBe(true);
  });

  it("does not hide a last newline that somebody changed in the file that is being written", async () => {
    const store = make();
    await write(store, [{}, {}]);
    const [name] = await files();
    const text = await readFile(one(name), "utf8");
    await writeFile(one(name), `${text.slice(0, -1)}x`);
    expect((await checkChains(store)).problems).toEqual([
      { at: `${name}:${text.trimEnd().split("\n").length}`, recordId: undefined },
    ]);
  });
});

describe("files", () => {
  it("rotate by size, and each has the profiles of its records before them", async () => {
    const store = make({ rotateBytes: 2000 });
    const other = sha256('{"limit":20}');
    const wishes = Array.from({ length: 20 }, (_, index) => (index % 3 === 0 ? { profileHash: other } : {}));
    const written = await write(store, wishes.slice(0, 11), wishes.slice(11));
    const names = await files();
    expect(names.length).toBeGreaterThan(4);
    expect(names[1]).toBe("1-00000002.ndjson");
    for (const name of names) {
      const known = new Set<unknown>();
      for (const line of await linesOf(name)) {
        const parsed = JSON.parse(line);
        if (parsed.recordId === undefined) {
          expect(Object.keys(parsed).sort()).toEqual(["profile", "profileHash", "recordVersion"]);
          expect(known.has(parsed.profileHash)).toBe(false);
          known.add(parsed.profileHash);
        } else expect(known).toContain(parsed.profileHash);
      }
    }
    expect(await collect(store.find({}))).toEqual(written);
    expect(await store.profile(other)).toEqual({ limit: 20 });
    expect(await checkChains(store)).toEqual({ records: 20, chains: 1, problems: [] });
  });

  it("rotate when a day begins; records of the day before may still come", async () => {
    const store = make();
    const midnight = Date.UTC(2026, 2, 4);
    const times = [midnight - 2, midnight - 1, midnight, midnight - 1, midnight + 1, midnight - 2 * day];
    const written = await write(
      store,
      times.map((recordedAtMs) => ({ recordedAtMs })),
    );
    const counts = await Promise.all(
      (await files()).map(
        async (name) => (await linesOf(name)).filter((line) => line.includes('"recordId"')).length,
      ),
    );
    expect(counts).toEqual([2, 3, 1]);
    for (const [index, time] of times.entries()) {
      const found = await collect(store.find({ from: new Date(time), to: new Date(time + 1) }));
      expect(found).toEqual(written.filter((_, other) => times[other] === times[index]));
    }
    const newestFirst = await collect(store.find({ newestFirst: true }));
    expect(newestFirst.map(({ recordedAt }) => Date.parse(recordedAt))).toEqual(
      times.toSorted((a, b) => b - a),
    );
  });

  it("reads only files that can have what is looked for", async () => {
    const store = make();
    await write(store, ...[0, 1, 2, 3, 4].map((index) => [{ recordedAtMs: morning + index * day }]));
    const names = await files();
    // A file that was read would show: its second record is of another day.
    const stray = (await linesOf(names[4] ?? ""))[1];
    await appendFile(one(names[0]), `${stray}\n`);
    const found = await collect(store.find({ from: new Date(morning + 4 * day) }));
    expect(found).toHaveLength(1);
  });

  it("are deleted when all their records are too old, oldest first, and never the last of a lane", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: morning + 6 * day });
    const store = make();
    await write(store, ...[0, 1, 2, 6].map((index) => [{ recordedAtMs: morning + index * day }]));
    await store.close();
    const keeping = make({ keepDays: 4 });
    await keeping.open({ logger });
    expect(await files()).toEqual(["1-00000003.ndjson", "1-00000004.ndjson"]);
    // What is left begins in the middle of the chain, and is whole.
    expect(await checkChains(keeping)).toEqual({ records: 2, chains: 1, problems: [] });
    await keeping.close();
    vi.setSystemTime(morning + 100 * day);
    await make({ keepDays: 4 }).open({ logger });
    expect(await files()).toEqual(["1-00000004.ndjson"]);
  });

  it("are never written again: a new writer begins a new one", async () => {
    const store = make();
    const written = await write(store, [{}]);
    const before = await readFile(one((await files())[0]));
    written.push(...(await write(store, [{}])));
    expect(await files()).toEqual(["1-00000001.ndjson", "1-00000002.ndjson"]);
    expect(await readFile(one((await files())[0]))).toEqual(before);
    expect(await collect(store.find({}))).toEqual(written);
  });

  it("are not left behind empty", async () => {
    const store = make();
    await (await store.open({ logger })).close();
    expect(await files()).toEqual([]);
  });
});

describe("a lane", () => {
  const lock = () => join(directory, "1.lock");
  const elsewhere = { space: "another container" };

  it("of a process that has ended is taken, and goes on", async () => {
    const store = make();
    const [first] = await write(store, [{}]);
    await store.close();
    leaveLock(lock(), { pid: deadPid });
    const [next] = await write(make(), [{}]);
    expect(next?.previousHash).toBe(first?.hash);
    expect(await files()).toEqual(["1-00000001.ndjson", "1-00000002.ndjson"]);
  });

  it("of another container with our host name and process id is left alone while it is touched, with what is half written in it", async () => {
    const store = make();
    await write(store, [{}]);
    await store.close();
    leaveLock(lock(), { ...elsewhere, started: "1" }, 59_000);
    await appendFile(one("1-00000001.ndjson"), '{"torn');
    const later = make();
    await write(later, [{}]);
    expect(await files()).toEqual(["1-00000001.ndjson", "2-00000001.ndjson"]);
    expect({ warned, readFile: await readFile(one("1-00000001.ndjson"), "utf8") }).toEqual({
      warned: [],
      readFile: expect.stringMatching(/\{"torn$/),
    });
    // It may be in the middle of a record.
    expect(await checkChains(later)).toEqual({ records: 2, chains: 2, problems: [] });
  });

  it("of another container that was killed is repaired once its lock is old, by whoever runs", async () => {
    const store = make();
    await write(store, [{}]);
    await store.close();
    leaveLock(lock(), elsewhere);
    await appendFile(one("1-00000001.ndjson"), '{"torn');
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const later = make();
    await write(later, [{}]);
    await vi.advanceTimersByTimeAsync(75_000);
    leaveLock(lock(), elsewhere, 61_000);
    expect((await checkChains(later)).problems).toHaveLength(1);
    const repaired = async () => {
      await vi.advanceTimersByTimeAsync(75_000);
      return warned;
    };
    await expect.poll(repaired).toEqual([{ file: "1-00000001.ndjson", bytes: 6 }]);
    await expect.poll(() => readdir(directory)).not.toContain("1.lock");
    expect(await checkChains(later)).toEqual({ records: 2, chains: 2, problems: [] });
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  it("is taken by one of many that want it", async () => {
    leaveLock(lock(), { pid: deadPid });
    const all = Array.from({ length: 6 }, () => make());
    await Promise.all(all.map((store) => write(store, [{}])));
    expect(await files()).toEqual(["1", "2", "3", "4", "5", "6"].map((lane) => `${lane}-00000001.ndjson`));
  });

  it("that a writer has lost fails it, and it takes another one", async () => {
    const store = make({ rotateBytes: 1 });
    await write(store, [{}]);
    leaveLock(lock(), elsewhere);
    await expect(write(store, [{}])).resolves.toHaveLength(1);
    expect(await files()).toEqual(["1-00000001.ndjson", "2-00000001.ndjson"]);
  });
});

describe("an erasure that was interrupted", () => {
  it.each(["open", "erase"] as const)("is finished by the next %s, wherever it stopped", async (how) => {
    const store = make();
    const given = [{ subject: "sha256:ada", payload: { input: { name: "Ada" } } }, { subject: "sha256:bob" }];
    await write(store, given);
    await store.close();
    const [name] = await files();
    const before = await readFile(one(name));
    await make().erase(["sha256:ada"]);
    const after = await readFile(one(name));
    const start = before.indexOf(',"payload":{') + ',"payload":'.length;
    const length = before.indexOf(',"payloadHash":') - start;
    expect(after.length).toBe(before.length);
    for (let done = 0; done <= length; done += how === "open" ? 1 : 40) {
      const bytes = Buffer.concat([after.subarray(0, start + done), before.subarray(start + done)]);
      await writeFile(one(name), bytes);
      await writeFile(
        join(directory, "erasure-00000000-0000-4000-8000-000000000000.json"),
        JSON.stringify([{ file: name, ranges: [[start, length]] }]),
      );
      const later = ndjsonFiles(directory);
      if (how === "open") await later.open({ logger });
      else expect(await later.erase(["sha256:nobody"])).toBe(0);
      await later.close();
      expect(await readFile(one(name))).toEqual(after);
    }
    expect((await readdir(directory)).filter((entry) => entry.startsWith("erasure"))).toEqual([]);
  });

  it("leaves alone what is not where it was", async () => {
    const store = make();
    await write(store, [{}, {}]);
    await store.close();
    const [name] = await files();
    const before = await readFile(one(name));
    const intent = [
      {
        file: name,
        ranges: [
          [50, 20],
          [before.length + 10, 20],
        ],
      },
      { file: "1-00000009.ndjson", ranges: [[50, 20]] },
    ];
    await writeFile(
      join(directory, "erasure-00000000-0000-4000-8000-000000000000.json"),
      JSON.stringify(intent),
    );
    await make().open({ logger });
    expect(await readFile(one(name))).toEqual(before);
  });

  it("cuts off what a killed process had half written of the person", async () => {
    const store = make();
    await write(store, [{ subject: "sha256:ada" }]);
    await store.close();
    const [name] = await files();
    await appendFile(one(name), '{"decision":{},"payload":{"input":{"name":"Ada');
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    await make().erase(["sha256:ada"]);
    expect(await readFile(one(name), "utf8")).not.toContain("Ada");
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });
});

it("a write that fails leaves no torn line, and the chain goes on where it was", async () => {
  const store = make();
  const writer = await store.open({ logger });
  const sealer = new Sealer(null);
  const first = sealer.seal();
  await writer.write({ records: [first.sealed], kept: new Map() });
  await truncate(one((await files())[0]), 0);
  await rm(directory, { recursive: true });
  // The directory is gone, so no file can be made in it.
  const far = sealer.seal({ recordedAtMs: Date.now() + 3 * day });
  await expect(writer.write({ records: [far.sealed], kept: new Map() })).rejects.toThrow();
  await expect(writer.write({ records: [far.sealed], kept: new Map() })).rejects.toThrow("failed before");
  expect(writer.head).toBe(first.sealed.hash);
});
