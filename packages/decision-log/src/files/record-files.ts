import { resolve } from "node:path";
import { DecernError, type RecordStore } from "@decern/core";
import { feature, optionKinds } from "@decern/core/tools";
import { fileStats } from "./file-stats.js";
import { findRecords } from "./find-records.js";
import { GivenFiles } from "./given-files.js";
import { storedChains, storedErasures, storedProfile } from "./stored-chains.js";

const { listOf, nonEmptyText } = optionKinds;

/**
 * Reads records in files of any name, one JSON text a line, as `ndjsonFiles` writes them. They are never changed.
 *
 * @param paths - of the files, at least one
 * @throws DecernError `INVALID_OPTIONS`: for what is no path, at once; for a file that cannot be read, when records are asked for;
 *   and for whoever wants to write or erase
 * @example
 * const log = decisionLog({ store: recordFiles(["november.ndjson"]) });
 * for await (const record of log.find({ status: "NO_MATCH" })) console.log(record.recordId);
 */
export function recordFiles(paths: readonly string[]): RecordStore {
  const problems = listOf(nonEmptyText, { nonEmpty: true })(paths, "/paths");
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "recordFiles", problems });
  const files = new GivenFiles(paths.map((path) => resolve(path)));
  return {
    [feature]: "record-store",
    open: () => refused("written"),
    find: (query) => findRecords(files, query),
    profile: (hash) => storedProfile(files, hash),
    chains: () => storedChains(files),
    erasures: () => storedErasures(files),
    erase: () => refused("erased"),
    stats: () => fileStats(files),
    close: async () => {},
  };
}

async function refused(what: string): Promise<never> {
  const detail = `recordFiles() is read-only, so nothing can be ${what} there: use ndjsonFiles() with the directory`;
  throw new DecernError("INVALID_OPTIONS", { detail });
}
