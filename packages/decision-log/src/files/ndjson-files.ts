import { resolve } from "node:path";
import { DecernError, type RecordStore } from "@decern/core";
import { type OptionTable, optionKinds, optionProblems } from "@decern/core/host";
import { FileStore } from "./file-store.js";

export interface NdjsonFilesOptions {
  /** About how many bytes a file has before the next one is begun. @default 128e6 */
  readonly rotateBytes?: number | undefined;
  /** Files are deleted once all their records are older than this many days. @default nothing is deleted */
  readonly keepDays?: number | undefined;
}

const kinds: OptionTable<NdjsonFilesOptions> = {
  rotateBytes: optionKinds.wholeNumber,
  keepDays: optionKinds.wholeNumber,
};

/**
 * Keeps records in files of a directory, one line of JSON per record. Several processes on one machine can share it: each
 * writes the files of its own lane, such as `1-00000001.ndjson` and `1-00000002.ndjson` in lane 1. A new file begins at each
 * start of a process, each day (UTC) and after `rotateBytes`. `0-00000001.ndjson` has the erasures and is never deleted. A
 * partial last line after a crash is removed and logged at the next start.
 *
 * @param directory - created if missing
 * @throws DecernError `INVALID_OPTIONS`
 * @example
 * const log = decisionLog({ store: ndjsonFiles("records", { keepDays: 800 }) });
 */
export function ndjsonFiles(directory: string, options: NdjsonFilesOptions = {}): RecordStore {
  const problems = [
    ...optionKinds.nonEmptyText(directory, "/directory"),
    ...optionProblems(options, { kinds }),
  ];
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "ndjsonFiles", problems });
  const { rotateBytes = 128e6, keepDays } = options;
  return new FileStore({ directory: resolve(directory), rotateBytes, keepDays });
}
