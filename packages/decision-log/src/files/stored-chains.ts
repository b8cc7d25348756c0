import { stat } from "node:fs/promises";
import type { LogicContent } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { canonicalForm } from "@decern/core/tools";
import { lineBlocks, linesIn, newline, payloadRange, readRecord } from "../lines/line-blocks.js";
import type { StoredChain, StoredRecord, StoreStats } from "../record/record-store.js";
import { sha256 } from "../text/hashing.js";
import type { FileChain, FileSet } from "./file-set.js";

export async function* storedChains(
  set: FileSet,
  what: "chains" | "erasures" = "chains",
): AsyncGenerator<StoredChain> {
  for (const chain of await set[what]()) {
    const { name, mayLackFirst } = chain;
    yield { name, mayLackFirst, records: recordsOf(set, chain) };
  }
}

async function* recordsOf(set: FileSet, { files }: FileChain): AsyncGenerator<StoredRecord> {
  for (const file of files) {
    let number = 0;
    const kept = { profile: new Set<string>(), content: new Set<string>() };
    for await (const { bytes, isTorn } of lineBlocks(file.path, { end: set.endOf(file) })) {
      if (isTorn && file === files.at(-1) && (await set.isBeingWritten(file))) return;
      for (const line of linesIn(bytes)) {
        number += 1;
        const text = line.toString();
        // A line without its newline is damaged, whatever it contains.
        const at = `${file.name}:${number}`;
        const document = rightDocument(text);
        if (isTorn && !set.mayLackLastNewline) yield { at, text: `${text}\u0000` };
        else if (document === undefined) yield { at, text, profiles: kept.profile, contents: kept.content };
        else kept[document.kind].add(document.hash);
      }
    }
  }
}

type Kind = "profile" | "content";

const kinds: readonly Kind[] = ["profile", "content"];

const keptLines = {
  profile: /^\{"profile":(.*),"profileHash":"(sha256:[0-9a-f]{64})","recordVersion":1\}$/s,
  content:
    /^\{"content":(.*),"contentHash":"(sha256:[0-9a-f]{64})","mediaType":"(?:[^"\\]|\\.)*","recordVersion":1\}$/s,
};

/** The document that a line keeps, if it fits its hash. Other lines are records, or damaged. */
function rightDocument(text: string): { readonly kind: Kind; readonly hash: string } | undefined {
  const kind = kinds.find((one) => text.startsWith(`{"${one}":`));
  if (kind === undefined) return undefined;
  const [, document = "", hash = ""] = keptLines[kind].exec(text) ?? [];
  return sha256(document) === hash ? { kind, hash } : undefined;
}

export async function storedProfile(set: FileSet, hash: string): Promise<unknown> {
  const line = await storedLine(set, "profile", hash);
  return line?.["profile"];
}

export async function storedContent(set: FileSet, hash: string): Promise<LogicContent | undefined> {
  const { mediaType, content } = (await storedLine(set, "content", hash)) ?? {};
  return typeof mediaType === "string" ? { hash, mediaType, document: content } : undefined;
}

async function storedLine(
  set: FileSet,
  kind: Kind,
  hash: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const opening = Buffer.from(`{"${kind}":`);
  // Records have it too. No line is looked at twice.
  const needle = Buffer.from(JSON.stringify(hash));
  for (const { files } of await set.chains()) {
    for (const { path } of files.toReversed()) {
      for await (const { bytes } of lineBlocks(path)) {
        for (let end = 0, at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, end)) {
          end = bytes.indexOf(newline, at);
          if (end === -1) break;
          const start = bytes.lastIndexOf(newline, at) + 1;
          if (bytes.compare(opening, 0, opening.length, start, start + opening.length) !== 0) continue;
          const line = keptDocument(bytes.toString("utf8", start, end), kind, hash);
          if (line !== undefined) return line;
        }
      }
    }
  }
  return undefined;
}

/** The line of a document, if it has this hash. It may have spaces. */
function keptDocument(text: string, kind: Kind, hash: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isJsonObject(line) && sha256(canonicalForm(line[kind]) ?? "") === hash ? line : undefined;
  } catch {
    return undefined;
  }
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
      for (const line of isWhole ? linesIn(block) : []) {
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

/** As {@link readRecord}, but with `{}` in place of the payload, which is most of a line. */
function readWithoutPayload(line: Buffer): ReturnType<typeof readRecord> {
  const payload = payloadRange(line);
  if (payload === undefined || line[payload.start] !== openingBrace) return readRecord(line.toString());
  const facts = `${line.toString("utf8", 0, payload.start)}{}${line.toString("utf8", payload.end)}`;
  const record = readRecord(facts);
  return typeof record === "object" ? record : readRecord(line.toString());
}

const openingBrace = 0x7b;
