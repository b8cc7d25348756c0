import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { DecernError, type DecisionRecord, type Logger, type LogicContent } from "@decern/core";
import { feature, kinds, type OptionsOf, option, readOptions } from "@decern/core/options";
import { neverThrowing } from "@decern/core/tools";
import { deleteOldFiles, listLanes, repairLane } from "../lanes/lane-file.js";
import { LaneLock, LaneWriter } from "../lanes/lane-writer.js";
import type {
  RecordStore,
  RecordWriter,
  StoredChain,
  StoredQuery,
  StoreStats,
} from "../record/record-store.js";
import { erasePayloads, finishErasures } from "./erase-payloads.js";
import { LaneSet } from "./file-set.js";
import { findRecords } from "./find-records.js";
import { fileStats, storedChains, storedContent, storedProfile } from "./stored-chains.js";

/** By then, the lock of a process that has ended is free, wherever that process ran. */
const repairMs = 75_000;

interface FileStoreOptions {
  readonly directory: string;
  readonly rotateBytes: number;
  readonly keepDays: number | undefined;
}

class FileStore implements RecordStore {
  readonly [feature] = "record-store";
  readonly #options: FileStoreOptions;
  readonly #files: LaneSet;
  #lock: LaneLock | undefined;
  #writer: LaneWriter | undefined;
  #opening: Promise<unknown> = Promise.resolve();
  #repairing: NodeJS.Timeout | undefined;
  #logger = neverThrowing();

  constructor(options: FileStoreOptions) {
    this.#options = options;
    this.#files = new LaneSet(options.directory, options.keepDays !== undefined, () => this.#writer?.written);
  }

  open({ logger }: { readonly logger: Required<Logger> }): Promise<RecordWriter> {
    // In turn: a caller that gave up on a hanging store may call again.
    const opening = this.#opening.then(() => this.#open(logger));
    this.#opening = opening.catch(() => {});
    return opening;
  }

  async #open(logger: Required<Logger>): Promise<RecordWriter> {
    const { directory, rotateBytes } = this.#options;
    this.#logger = logger;
    await this.#writer?.close();
    this.#writer = undefined;
    await mkdir(directory, { recursive: true });
    await this.#deleteOldFiles();
    // Kept until the store is closed: a new writer continues the chain of one that failed.
    const lock = await this.#ownLane();
    this.#repairLater(await this.#repair((await listLanes(directory)).keys(), logger), logger);
    await finishErasures(directory);
    const files = (await listLanes(directory)).get(lock.lane) ?? [];
    const { head } = await repairLane(files, logger);
    this.#writer = new LaneWriter({
      directory,
      rotateBytes,
      lock,
      head,
      sequence: (files.at(-1)?.sequence ?? 0) + 1,
      onRotated: () => this.#deleteOldFiles(),
    });
    return this.#writer;
  }

  find(query: StoredQuery): AsyncIterable<DecisionRecord> {
    return findRecords(this.#files, query);
  }

  profile(hash: string): Promise<unknown> {
    return storedProfile(this.#files, hash);
  }

  content(hash: string): Promise<LogicContent | undefined> {
    return storedContent(this.#files, hash);
  }

  chains(): AsyncIterable<StoredChain> {
    return storedChains(this.#files);
  }

  erasures(): AsyncIterable<StoredChain> {
    return storedChains(this.#files, "erasures");
  }

  async erase(subjects: readonly string[]): Promise<number> {
    await this.#writer?.idle();
    const { directory } = this.#options;
    const lanes = await listLanes(directory);
    if (lanes.size === 0) return 0;
    // An incomplete record may have a payload, and doesn't say whose it is.
    await this.#repair(lanes.keys(), this.#logger);
    return await erasePayloads(directory, subjects, this.#logger);
  }

  stats(): Promise<StoreStats> {
    return fileStats(this.#files);
  }

  async close(): Promise<void> {
    clearTimeout(this.#repairing);
    await this.#writer?.close();
    this.#writer = undefined;
    await this.#lock?.release();
    this.#lock = undefined;
  }

  async #ownLane(): Promise<LaneLock> {
    const { directory } = this.#options;
    const renewed = await this.#lock?.renew().then(
      () => true,
      () => false,
    );
    if (this.#lock !== undefined && renewed === true) return this.#lock;
    await this.#lock?.release();
    this.#lock = undefined;
    for (let lane = 1; ; lane += 1) {
      const lock = await LaneLock.take(directory, lane);
      if (lock === undefined) continue;
      this.#lock = lock;
      return lock;
    }
  }

  /** Repairs lanes that no process writes. @returns the others, without its own */
  async #repair(lanes: Iterable<number>, logger: Required<Logger>): Promise<readonly number[]> {
    const { directory } = this.#options;
    const written: number[] = [];
    for (const lane of lanes) {
      if (lane === this.#lock?.lane) continue;
      const lock = await LaneLock.take(directory, lane);
      if (lock === undefined) {
        written.push(lane);
        continue;
      }
      // Listed again: another process may have written before the lock was taken.
      const files = (await listLanes(directory)).get(lane) ?? [];
      await repairLane(files, logger).finally(() => lock.release());
    }
    return written;
  }

  /** A lane whose writer ended in another container looks busy for a while, and no other process may start in the meantime. */
  #repairLater(lanes: readonly number[], logger: Required<Logger>): void {
    clearTimeout(this.#repairing);
    if (lanes.length === 0) return;
    const repair = async () => {
      if (this.#lock === undefined) return;
      this.#repairLater(await this.#repair(lanes, logger).catch(() => lanes), logger);
    };
    this.#repairing = setTimeout(() => {
      this.#opening = this.#opening.then(repair);
    }, repairMs);
    this.#repairing.unref();
  }

  async #deleteOldFiles(): Promise<void> {
    const { directory, keepDays } = this.#options;
    if (keepDays !== undefined) await deleteOldFiles(directory, keepDays);
  }
}

const rows = {
  /** Bytes of a file before the next one begins, roughly. @default 128000000 */
  rotateBytes: option(kinds.wholeNumber, 128_000_000),
  /** Files are deleted when all their records are older than this many days. @default unlimited */
  keepDays: option(kinds.wholeNumber),
};

/** Options of `ndjsonFiles`. */
export interface NdjsonFilesOptions extends OptionsOf<typeof rows> {}

/**
 * Keeps records in files of a directory, one line of JSON per record. Several processes on one machine can share it: each
 * writes the files of its own lane, such as `1-00000001.ndjson` and `1-00000002.ndjson` in lane 1. A new file begins at each
 * start of a process, each day (UTC), after `rotateBytes`, and in a file of more than 4 MiB before a record that is 5 seconds older
 * than an earlier one. `0-00000001.ndjson` has the erasures and is never deleted. A
 * partial last line after a crash is removed and logged at the next start.
 *
 * @param directory - created if missing
 * @throws DecernError `INVALID_OPTIONS`
 * @example
 * const log = decisionLog({ store: ndjsonFiles("records", { keepDays: 800 }) });
 */
export function ndjsonFiles(directory: string, options: NdjsonFilesOptions = {}): RecordStore {
  const { options: settings, problems } = readOptions(options, rows);
  const all = [...kinds.nonEmptyText(directory, "/directory"), ...problems];
  if (settings === undefined || all.length > 0)
    throw new DecernError("INVALID_OPTIONS", { detail: "ndjsonFiles", problems: all });
  return new FileStore({ directory: resolve(directory), ...settings });
}
