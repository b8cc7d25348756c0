import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { DecernError, type Problem } from "@decern/core";
import { feature, kinds } from "@decern/core/options";
import { asLaneFile, erasureLane, grouped } from "../lanes/lane-file.js";
import { isLaneHeld } from "../lanes/lane-writer.js";
import type { RecordFile } from "../lines/line-blocks.js";
import { anyOrder, BlockTimes, type FileTimes, firstTime } from "../lines/times.js";
import type { RecordStore } from "../record/record-store.js";
import type { FileChain, FileSet } from "./file-set.js";
import { findRecords } from "./find-records.js";
import { fileStats, storedChains, storedContent, storedProfile } from "./stored-chains.js";

/** Nothing is known of files that somebody has put together. */
const anyTime: FileTimes = { from: "", to: "\uffff" };

/** Files that were named one by one. Those that a log wrote and that kept their names form their former chains. */
class GivenFiles implements FileSet {
  readonly mayLackLastNewline = true;
  readonly blockTimes = new BlockTimes();
  readonly order = anyOrder;
  readonly #files: readonly RecordFile[];

  constructor(paths: readonly string[]) {
    this.#files = [...new Set(paths)].map((path) => ({ name: basename(path), path }));
  }

  /** @throws DecernError `INVALID_OPTIONS` (rejects with it) for files that cannot be read */
  async chains(): Promise<readonly FileChain[]> {
    return this.#chains((file) => !hasErasures(file));
  }

  async erasures(): Promise<readonly FileChain[]> {
    // Such a chain has one file, which is never deleted.
    return (await this.#chains(hasErasures)).map((chain) => ({ ...chain, mayLackFirst: false }));
  }

  async #chains(isMeant: (file: RecordFile) => boolean): Promise<readonly FileChain[]> {
    const problems = (await Promise.all(this.#files.map(problemOf))).flat();
    if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "recordFiles", problems });
    const chains = grouped(this.#files.filter(isMeant), (file) => {
      const lane = asLaneFile(file)?.lane;
      return lane === undefined ? file.path : join(dirname(file.path), String(lane));
    });
    return [...chains].map(([name, files]) => ({ name, mayLackFirst: true, files: files.sort(byNumber) }));
  }

  async begin({ files: [first] }: FileChain): Promise<string> {
    return (first && (await firstTime(first))) ?? "";
  }

  async times(): Promise<FileTimes> {
    return anyTime;
  }

  endOf(): undefined {}

  async isBeingWritten(file: RecordFile): Promise<boolean> {
    const lane = asLaneFile(file)?.lane;
    return lane !== undefined && (await isLaneHeld(dirname(file.path), lane));
  }
}

function hasErasures(file: RecordFile): boolean {
  return asLaneFile(file)?.lane === erasureLane;
}

function byNumber(a: RecordFile, b: RecordFile): number {
  return (asLaneFile(a)?.sequence ?? 0) - (asLaneFile(b)?.sequence ?? 0);
}

async function problemOf({ path }: RecordFile, index: number): Promise<readonly Problem[]> {
  const message = await stat(path).then(
    (entry) => (entry.isFile() ? undefined : "is not a file"),
    (error: unknown) => (error instanceof Error ? error.message : "cannot be read"),
  );
  return message === undefined ? [] : [{ path: `/paths/${index}`, message: `${path}: ${message}` }];
}

const pathList = kinds.listOf(kinds.nonEmptyText, { nonEmpty: true });

/**
 * Reads records in files of any name, one JSON text a line, as `ndjsonFiles` writes them. They are never changed.
 *
 * @param paths - of the files, at least one
 * @throws DecernError `INVALID_OPTIONS`: for what isn't a path, immediately; for a file that cannot be read, when records are asked for;
 *   and when asked to write or erase
 * @example
 * const log = decisionLog({ store: recordFiles(["november.ndjson"]) });
 * for await (const record of log.find({ status: "NO_MATCH" })) console.log(record.recordId);
 */
export function recordFiles(paths: readonly string[]): RecordStore {
  const problems = pathList(paths, "/paths");
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "recordFiles", problems });
  const files = new GivenFiles(paths.map((path) => resolve(path)));
  return {
    [feature]: "record-store",
    open: () => refused("written"),
    find: (query) => findRecords(files, query),
    profile: (hash) => storedProfile(files, hash),
    content: (hash) => storedContent(files, hash),
    chains: () => storedChains(files),
    erasures: () => storedChains(files, "erasures"),
    erase: () => refused("erased"),
    stats: () => fileStats(files),
    close: async () => {},
  };
}

async function refused(what: string): Promise<never> {
  const detail = `recordFiles() is read-only, so nothing can be ${what} there: use ndjsonFiles() with the directory`;
  throw new DecernError("INVALID_OPTIONS", { detail });
}
