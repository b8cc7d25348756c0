import { mkdir } from "node:fs/promises";
import type {
  DecisionRecord,
  Logger,
  RecordStore,
  RecordWriter,
  StoredChain,
  StoredQuery,
  StoreStats,
} from "@decern/core";
import { consoleLogger, feature } from "@decern/core/host";
import { erasePayloads, finishErasures } from "./erase-payloads.js";
import { fileStats } from "./file-stats.js";
import { findRecords } from "./find-records.js";
import { listLanes } from "./lanes/lane-file.js";
import { LaneLock } from "./lanes/lane-lock.js";
import { repairLane } from "./lanes/lane-repair.js";
import { LaneSet } from "./lanes/lane-set.js";
import { LaneWriter } from "./lanes/lane-writer.js";
import { deleteOldFiles } from "./lanes/retention.js";
import { storedChains, storedErasures, storedProfile } from "./stored-chains.js";

export interface FileStoreOptions {
  readonly directory: string;
  readonly rotateBytes: number;
  readonly keepDays: number | undefined;
}

/** Records in the files of a directory. */
export class FileStore implements RecordStore {
  readonly [feature] = "record-store";
  readonly #options: FileStoreOptions;
  readonly #files: LaneSet;
  #lock: LaneLock | undefined;
  #writer: LaneWriter | undefined;
  #opening: Promise<unknown> = Promise.resolve();
  #logger = consoleLogger;

  constructor(options: FileStoreOptions) {
    this.#options = options;
    this.#files = new LaneSet(options.directory, options.keepDays !== undefined, () => this.#writer?.written);
  }

  open({ logger }: { readonly logger: Required<Logger> }): Promise<RecordWriter> {
    // One after the other: a caller that gave up on a store that hangs may ask again.
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
    // Kept until the store is closed: a writer that takes over from one that failed continues its chain.
    const lock = await this.#ownLane();
    await this.#repairOthers(lock, logger);
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

  chains(): AsyncIterable<StoredChain> {
    return storedChains(this.#files);
  }

  erasures(): AsyncIterable<StoredChain> {
    return storedErasures(this.#files);
  }

  async erase(subjects: readonly string[]): Promise<number> {
    await this.#writer?.idle();
    const { directory } = this.#options;
    if ((await listLanes(directory)).size === 0) return 0;
    // A record that was not written to its end may have a payload, and does not say whose it is.
    await this.#repairOthers(this.#lock, this.#logger);
    return await erasePayloads(directory, subjects, this.#logger);
  }

  stats(): Promise<StoreStats> {
    return fileStats(this.#files);
  }

  async close(): Promise<void> {
    await this.#writer?.close();
    this.#writer = undefined;
    await this.#lock?.release();
    this.#lock = undefined;
  }

  /** The lane that this store writes: the first that is free. */
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

  /** Repairs lanes that nobody writes. */
  async #repairOthers(own: LaneLock | undefined, logger: Required<Logger>): Promise<void> {
    const { directory } = this.#options;
    for (const lane of (await listLanes(directory)).keys()) {
      const lock = lane === own?.lane ? undefined : await LaneLock.take(directory, lane);
      if (lock === undefined) continue;
      // Listed again: before the lock was taken, somebody may have written.
      const files = (await listLanes(directory)).get(lane) ?? [];
      await repairLane(files, logger).finally(() => lock.release());
    }
  }

  async #deleteOldFiles(): Promise<void> {
    const { directory, keepDays } = this.#options;
    if (keepDays !== undefined) await deleteOldFiles(directory, keepDays);
  }
}
