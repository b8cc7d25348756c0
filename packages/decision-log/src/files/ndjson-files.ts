import { resolve } from "node:path";
import { DecernError, type RecordStore } from "@decern/core";
import { type OptionTable, optionKinds, optionProblems } from "@decern/core/tools";
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
 * Keeps records in files of a directory, one JSON text a line. Several processes may write to one directory: each writes files
 * of its own.
 *
 * @param directory - it is made when it does not exist
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
