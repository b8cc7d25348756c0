import { createWriteStream, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DecisionRecord } from "@decern/core";
import { feature } from "@decern/core/options";
import type { RecordStore, StoredChain, StoreStats } from "@decern/decision-log";
import { CommandError } from "../command-line/command.js";

/** The records of several streams by their time; those of one stream stay in their order. */
export async function* mergeRecords(
  streams: readonly AsyncIterable<DecisionRecord>[],
  options: { readonly newestFirst?: boolean | undefined; readonly limit?: number | undefined },
): AsyncGenerator<DecisionRecord, void> {
  const { newestFirst = false, limit = Number.POSITIVE_INFINITY } = options;
  const open = new Set(streams.map((stream) => stream[Symbol.asyncIterator]()));
  const heads = new Map<AsyncIterator<DecisionRecord>, DecisionRecord>();
  const advance = async (stream: AsyncIterator<DecisionRecord>): Promise<void> => {
    const next = await stream.next();
    if (next.done !== true) {
      heads.set(stream, next.value);
    } else {
      heads.delete(stream);
      open.delete(stream);
    }
  };
  try {
    for (const stream of open) await advance(stream);
    for (let count = 0; count < limit; count += 1) {
      const [stream, head] = first(heads, newestFirst) ?? [];
      if (stream === undefined || head === undefined) return;
      yield head;
      await advance(stream);
    }
  } finally {
    for (const stream of open) await stream.return?.();
  }
}

function first<Stream>(
  heads: ReadonlyMap<Stream, DecisionRecord>,
  newestFirst: boolean,
): readonly [Stream, DecisionRecord] | undefined {
  let best: readonly [Stream, DecisionRecord] | undefined;
  for (const entry of heads) {
    const [, { recordedAt }] = entry;
    if (best === undefined) best = entry;
    else if (newestFirst ? recordedAt > best[1].recordedAt : recordedAt < best[1].recordedAt) best = entry;
  }
  return best;
}

export function joinedStore(stores: readonly RecordStore[]): RecordStore {
  const [only] = stores;
  if (only !== undefined && stores.length === 1) return only;
  return {
    [feature]: "record-store",
    open: async () => {
      throw new CommandError("several sources are read-only: pass one folder or database");
    },
    find: (query) =>
      mergeRecords(
        stores.map((store) => store.find(query)),
        query,
      ),
    profile: (hash) => firstFound(stores, (store) => store.profile(hash)),
    content: (hash) => firstFound(stores, (store) => store.content(hash)),
    async *chains(): AsyncGenerator<StoredChain, void> {
      for (const store of stores) yield* store.chains();
    },
    async *erasures(): AsyncGenerator<StoredChain, void> {
      for (const store of stores) yield* store.erasures();
    },
    async erase(subjects) {
      let records = 0;
      for (const store of stores) records += await store.erase(subjects);
      return records;
    },
    stats: async () => sumOf(await Promise.all(stores.map((store) => store.stats()))),
    async close() {
      for (const store of stores) await store.close();
    },
  };
}

async function firstFound<Found>(
  stores: readonly RecordStore[],
  look: (store: RecordStore) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const store of stores) {
    const found = await look(store);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sumOf(parts: readonly StoreStats[]): StoreStats {
  const sum = (pick: (stats: StoreStats) => number): number =>
    parts.reduce((total, part) => total + pick(part), 0);
  const times = (pick: (stats: StoreStats) => Date | undefined): readonly Date[] =>
    parts.flatMap((part) => pick(part) ?? []).sort((a, b) => a.getTime() - b.getTime());
  return {
    records: sum((part) => part.records),
    oldest: times((part) => part.oldest).at(0),
    newest: times((part) => part.newest).at(-1),
    bytes: sum((part) => part.bytes),
    withoutPayload: sum((part) => part.withoutPayload),
    unreadable: sum((part) => part.unreadable ?? 0),
  };
}

/** What came through standard input, as a file. */
interface Spool {
  readonly path: string;
  remove(): void;
}

/** Writes a stream to a file that only this user can read, because records are read more than once. */
export async function spool(input: Readable, signal: AbortSignal): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), "decern-"));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  // The process also ends when the reader of its output does.
  process.once("exit", removeFolder);
  const remove = (): void => {
    process.off("exit", removeFolder);
    removeFolder();
  };
  const path = join(folder, "records.ndjson");
  try {
    await pipeline(input, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    remove();
    throw signal.aborted ? signal.reason : error;
  }
  return { path, remove };
}
