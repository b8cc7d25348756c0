import { copyFile, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEvaluator, type DecisionRecord, type RecordQuery, withProfile } from "@decern/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decisionLog, ndjsonFiles, recordFiles } from "../../src/index.js";
import { greeting } from "../support/decisions.js";
import { quietLogger } from "../support/recording-logger.js";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "decern-given-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

let nowMs = Date.parse("2026-11-22T12:00:00Z");

/** No two records are of one instant. */
const clock = {
  now: () => {
    nowMs += 1;
    return nowMs;
  },
  monotonic: () => 0,
};

/** Records of greetings, one each, in a folder of files with about two records each. @returns the names of the files */
async function written(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const store = ndjsonFiles(join(directory, folder), { rotateBytes: 2000 });
  const log = decisionLog({ store, logger: quietLogger(), subject });
  const evaluator = createEvaluator({ log, clock });
  for (const name of names) {
    await evaluator.evaluate(withProfile(greeting, { folder }), { input: { name }, requestId: name });
    await log.flush();
  }
  await log.close();
  const entries = (await readdir(join(directory, folder))).filter((entry) => entry.endsWith(".ndjson"));
  return entries.sort().map((entry) => join(directory, folder, entry));
}

const subject = { key: "a key of sixteen bytes, or more", of: { greeting: nameOf } };

function nameOf(input: unknown): string | undefined {
  return Object(input) === input ? `${Reflect.get(Object(input), "name")}` : undefined;
}

function read(paths: readonly string[]) {
  return decisionLog({ store: recordFiles(paths), logger: quietLogger(), subject });
}

async function recordsOf(paths: readonly string[], query: RecordQuery = {}) {
  const records: DecisionRecord[] = [];
  for await (const record of read(paths).find(query)) records.push(record);
  return records;
}

async function found(paths: readonly string[], query: RecordQuery = {}): Promise<readonly string[]> {
  return (await recordsOf(paths, query)).map(({ requestId }) => requestId);
}

/** As Python's `json.dumps` and others write it. */
function withSpaces(line: string): string {
  return JSON.stringify(JSON.parse(line), null, 1).replaceAll(/\n */g, "");
}

const people = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"];

describe("recordFiles", () => {
  it("finds in the files of a log what the log finds, whatever the order of the paths", async () => {
    const paths = await written("log", people);
    expect(paths.length).toBeGreaterThan(2);
    for (const order of [paths, paths.toReversed(), [...paths, ...paths]]) {
      expect(await found(order)).toEqual(people);
      expect(await found(order, { newestFirst: true, limit: 3 })).toEqual(["Gus", "Flo", "Ed"]);
      expect(await found(order, { subject: "Di" })).toEqual(["Di"]);
      expect(await found(order, { requestId: "Flo" })).toEqual(["Flo"]);
    }
    expect(await found(paths.slice(1, 2))).toEqual(people.filter((_, index) => index === 2 || index === 3));
  });

  it("gives each record once, in order, also to callers that do not wait for the one before", async () => {
    const paths = await written("log", people);
    const iterator = read(paths).find()[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: people.length + 2 }, () => iterator.next()));
    expect(results.map(({ value }) => value?.requestId)).toEqual([...people, undefined, undefined]);
    const stopped = read(paths).find()[Symbol.asyncIterator]();
    await stopped.next();
    await stopped.return?.();
    expect(await stopped.next()).toEqual({ done: true, value: undefined });
  });

  it("reads files of any name, their records by time", async () => {
    const renamed = async (folder: string, names: readonly string[]) => {
      const [path = ""] = await written(folder, names);
      await rename(path, join(directory, `${folder}.records`));
      return join(directory, `${folder}.records`);
    };
    const first = await renamed("first", ["Ann"]);
    const second = await renamed("second", ["Bo"]);
    const third = await renamed("third", ["Cy"]);
    expect(await found([third, first, second])).toEqual(["Ann", "Bo", "Cy"]);
    expect(await found([third, first, second], { newestFirst: true })).toEqual(["Cy", "Bo", "Ann"]);
    const [record] = await recordsOf([first, second], { requestId: "Bo" });
    expect(await read([first, second]).profile(record?.profileHash ?? "")).toEqual({ folder: "second" });
    const from = new Date(record?.recordedAt ?? "");
    expect(await found([third, first, second], { to: from })).toEqual(["Ann"]);
    expect(await found([third, first, second], { from })).toEqual(["Bo", "Cy"]);
  });

  it("verifies and counts: files that belong together as one chain, others as one each", async () => {
    const paths = await written("log", people);
    const other = join(directory, "copy.ndjson");
    await copyFile((await written("other", ["Al", "Bea"]))[0] ?? "", other);
    const { ok, records, chains } = await read([...paths, other]).verify();
    expect({ ok, records, length: chains.length }).toEqual({
      ok: true,
      records: people.length + 2,
      length: 2,
    });
    expect(await read(paths).stats()).toMatchObject({ records: people.length, withoutPayload: 0 });
    // Without the first file nothing is wrong; without one in the middle, something is missing.
    expect(await read(paths.slice(1)).verify()).toMatchObject({ ok: true });
    expect(await read(paths.filter((_, index) => index !== 1)).verify()).toMatchObject({
      problems: [{ kind: "chain" }],
    });
  });

  it("reads a last line without its newline, and leaves out half of one", async () => {
    const [path = ""] = await written("log", ["Ann", "Bo"]);
    const { length } = await readFile(path);
    await truncate(path, length - 1);
    expect(await found([path])).toEqual(["Ann", "Bo"]);
    expect(await read([path]).verify()).toMatchObject({ ok: true, records: 2 });
    expect(await read([path]).stats()).toMatchObject({ records: 2 });
    await truncate(path, length - 20);
    expect(await found([path])).toEqual(["Ann"]);
    expect(await read([path]).verify()).toMatchObject({ problems: [{ kind: "unreadable" }] });
  });

  it("searches lines that another program wrote again, with spaces", async () => {
    const [first = "", ...others] = await written("log", people);
    const path = join(directory, "spaced.ndjson");
    const lines = (await Promise.all([first, ...others].map((each) => readFile(each, "utf8")))).join("");
    const spaced = lines.trimEnd().split("\n").map(withSpaces);
    await writeFile(path, `${spaced.join("\n")}\n`);
    const [, , cy] = await recordsOf([path]);
    const [recordId = "", at = ""] = [cy?.recordId, cy?.recordedAt];
    expect(await found([path], { subject: "Di" })).toEqual(["Di"]);
    expect(await found([path], { recordId })).toEqual(["Cy"]);
    expect(await found([path], { newestFirst: true, limit: 2 })).toEqual(["Gus", "Flo"]);
    for (const onUnreadable of [undefined, () => {}]) {
      expect(await found([path], { to: new Date(at), onUnreadable })).toEqual(["Ann", "Bo"]);
      expect(await found([path], { from: new Date(nowMs + 1), onUnreadable })).toEqual([]);
    }
    expect(await read([path]).profile(cy?.profileHash ?? "")).toEqual({ folder: "log" });
    // Reading them is one thing; what was written over proves nothing.
    expect(await read([path]).verify()).toMatchObject({ ok: false });
  });

  it("changes nothing: it can neither write nor erase", async () => {
    const [path = ""] = await written("log", ["Ann"]);
    const before = await readFile(path, "utf8");
    const store = recordFiles([path]);
    const refused = {
      code: "INVALID_OPTIONS",
      message: expect.stringContaining("recordFiles() is read-only"),
    };
    await expect(store.open({ logger: quietLogger() })).rejects.toMatchObject(refused);
    await expect(read([path]).erase({ subject: "Ann" })).rejects.toMatchObject(refused);
    expect(await readFile(path, "utf8")).toBe(before);
    expect((await readdir(join(directory, "log"))).filter((name) => !name.endsWith(".ndjson"))).toEqual([]);
  });

  it("names every path that is no file of records", async () => {
    const [path = ""] = await written("log", ["Ann"]);
    const missing = join(directory, "missing.ndjson");
    await expect(found([missing, path, directory])).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [
        { path: "/paths/0", message: expect.stringContaining("ENOENT") },
        { path: "/paths/2", message: `${directory}: is not a file` },
      ],
    });
    for (const paths of [[], [""]]) expect(() => recordFiles(paths)).toThrow("Invalid options: recordFiles");
  });

  it("leaves out lines that are no records", async () => {
    const path = join(directory, "any.txt");
    await writeFile(path, 'hello\n\n{"recordedAt":"2026-11-22T17:00:00.000Z"}\n[1]\n');
    expect(await found([path])).toEqual([]);
    await writeFile(path, "");
    expect(await found([path])).toEqual([]);
    expect(await read([path]).stats()).toMatchObject({ records: 0 });
  });
});
