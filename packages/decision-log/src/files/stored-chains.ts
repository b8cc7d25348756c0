import { stat } from "node:fs/promises";
import { lineBlocks, newline, payloadRange, readRecord } from "../lines/line-blocks.js";
import type { StoredChain, StoredRecord, StoreStats } from "../record/record-store.js";
import { sha256 } from "../text/hashing.js";
import type { FileChain, FileSet } from "./file-set.js";

/** Every chain of a set of files, with everything that is in it. */
export async function* storedChains(set: FileSet): AsyncGenerator<StoredChain> {
  yield* stored(set, await set.chains());
}

/** The same for chains of erasures. */
export async function* storedErasures(set: FileSet): AsyncGenerator<StoredChain> {
  yield* stored(set, await set.erasures());
}

function* stored(set: FileSet, chains: readonly FileChain[]): Generator<StoredChain> {
  for (const chain of chains) {
    const { name, mayLackFirst } = chain;
    yield { name, mayLackFirst, records: recordsOf(set, chain) };
  }
}

async function* recordsOf(set: FileSet, { files }: FileChain): AsyncGenerator<StoredRecord> {
  for (const file of files) {
    let number = 0;
    const profiles = new Set<string>();
    for await (const { bytes, isTorn } of lineBlocks(file.path, { end: set.endOf(file) })) {
      if (isTorn && file === files.at(-1) && (await set.isBeingWritten(file))) return;
      for (let from = 0; from < bytes.length; ) {
        const newlineAt = bytes.indexOf(newline, from);
        number += 1;
        const text = bytes.toString("utf8", from, newlineAt === -1 ? bytes.length : newlineAt);
        // A line without its newline is damaged, whatever it says.
        const at = `${file.name}:${number}`;
        const profile = rightProfile(text);
        if (isTorn && !set.mayLackLastNewline) yield { at, text: `${text}\u0000` };
        else if (profile === undefined) yield { at, text, profiles };
        else profiles.add(profile);
        from = newlineAt === -1 ? bytes.length : newlineAt + 1;
      }
    }
  }
}

const profileStart = '{"profile":';
const profileLine = /^\{"profile":(.*),"profileHash":"(sha256:[0-9a-f]{64})","recordVersion":1\}$/s;

/** The hash of a line's profile, if the profile fits it. Other lines are records, or damaged. */
function rightProfile(text: string): string | undefined {
  if (!text.startsWith(profileStart)) return undefined;
  const [, profile = "", hash] = profileLine.exec(text) ?? [];
  return sha256(profile) === hash ? hash : undefined;
}

/** A host's profile by its hash; `undefined` when no file has it. */
export async function storedProfile(set: FileSet, hash: string): Promise<unknown> {
  const needle = Buffer.from(`,"profileHash":${JSON.stringify(hash)},"recordVersion":1}\n`);
  for (const { files } of await set.chains()) {
    for (const { path } of files.toReversed()) {
      for await (const { bytes } of lineBlocks(path)) {
        const at = bytes.indexOf(needle);
        if (at === -1) continue;
        const text = bytes.toString("utf8", bytes.lastIndexOf(newline, at) + 1, at + needle.length - 1);
        if (rightProfile(text) === undefined) continue;
        const line: { profile?: unknown } = JSON.parse(text);
        return line.profile;
      }
    }
  }
  return undefined;
}

/** Counts the records of files. It reads all of them. */
export async function fileStats(set: FileSet): Promise<StoreStats> {
  let records = 0;
  let bytes = 0;
  let withoutPayload = 0;
  let unreadable = 0;
  let oldest: string | undefined;
  let newest: string | undefined;
  for (const { path } of (await set.chains()).flatMap(({ files }) => files)) {
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    for await (const { bytes: block, isTorn } of lineBlocks(path)) {
      const isWhole = !isTorn || set.mayLackLastNewline;
      for (let from = 0; isWhole && from < block.length; ) {
        const newlineAt = block.indexOf(newline, from);
        const end = newlineAt === -1 ? block.length : newlineAt;
        const line = block.subarray(from, end);
        from = end + 1;
        const record = readWithoutPayload(line);
        if (typeof record === "string") unreadable += 1;
        if (typeof record !== "object") continue;
        const time = record.recordedAt;
        records += 1;
        if (oldest === undefined || time < oldest) oldest = time;
        if (newest === undefined || time > newest) newest = time;
        if (record.payload === null) withoutPayload += 1;
      }
    }
  }
  return {
    records,
    oldest: oldest === undefined ? undefined : new Date(oldest),
    newest: newest === undefined ? undefined : new Date(newest),
    bytes,
    withoutPayload,
    unreadable,
  };
}

/** As {@link readRecord}, without parsing what is most of a line: the payload of a record that has one is empty. */
function readWithoutPayload(line: Buffer): ReturnType<typeof readRecord> {
  const payload = payloadRange(line);
  if (payload === undefined || line[payload.start] !== openingBrace) return readRecord(line.toString());
  const facts = `${line.toString("utf8", 0, payload.start)}{}${line.toString("utf8", payload.end)}`;
  const record = readRecord(facts);
  return typeof record === "object" ? record : readRecord(line.toString());
}

const openingBrace = 0x7b;
