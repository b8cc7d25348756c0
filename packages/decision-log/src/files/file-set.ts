import type { FileTimes } from "./lanes/file-times.js";
import type { BlockTimes } from "./lines/block-times.js";
import type { RecordFile } from "./lines/record-file.js";

/** One chain: its files, in the order in which they were written. */
export interface FileChain {
  readonly name: string;
  /** Whether its first records may be missing, because they were too old or are elsewhere. */
  readonly mayLackFirst: boolean;
  readonly files: readonly RecordFile[];
}

/** Files that are read as one log. */
export interface FileSet {
  chains(): Promise<readonly FileChain[]>;
  /** Chains of erasures. */
  erasures(): Promise<readonly FileChain[]>;
  /** About when the first record of a chain was written: it is opened then. ISO 8601; empty for at once. */
  begin(chain: FileChain): Promise<string>;
  /** Which instants the records of a file can have; `undefined` for a file without records. */
  times(file: RecordFile): Promise<FileTimes | undefined>;
  readonly blockTimes: BlockTimes;
  /** Where to stop reading; `undefined` for the end of the file. */
  endOf(file: RecordFile): number | undefined;
  /** Whether somebody may be adding to the last file of a chain. */
  isBeingWritten(file: RecordFile): Promise<boolean>;
  /** Whether the last line of a file may lack its newline. Otherwise such a line was not written to its end. */
  readonly mayLackLastNewline: boolean;
}
