import { asLaneFile, erasureLane, isLaneHeld, listLanes } from "../lanes/lane-file.js";
import type { WrittenFile } from "../lanes/lane-writer.js";
import type { RecordFile } from "../lines/line-blocks.js";
import { BlockTimes, type FileTimes, fileTimes } from "../lines/times.js";

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
  /** About when the first record of a chain was written: it is opened then. ISO 8601; empty for immediately. */
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

/** Every lane of a directory. */
export class LaneSet implements FileSet {
  readonly mayLackLastNewline = false;
  readonly blockTimes = new BlockTimes();
  readonly #directory: string;
  readonly #mayLackFirst: boolean;
  readonly #written: () => WrittenFile | undefined;

  /**
   * @param mayLackFirst - whether old files are deleted
   * @param written - the file that this process is writing
   */
  constructor(directory: string, mayLackFirst: boolean, written: () => WrittenFile | undefined) {
    this.#directory = directory;
    this.#mayLackFirst = mayLackFirst;
    this.#written = written;
  }

  async chains(): Promise<readonly FileChain[]> {
    const lanes = [...(await listLanes(this.#directory))].filter(([lane]) => lane !== erasureLane);
    return lanes.map(([lane, files]) => ({ name: String(lane), mayLackFirst: this.#mayLackFirst, files }));
  }

  async erasures(): Promise<readonly FileChain[]> {
    const files = (await listLanes(this.#directory)).get(erasureLane);
    return files === undefined ? [] : [{ name: String(erasureLane), mayLackFirst: false, files }];
  }

  /** There are as many lanes as processes that write: few enough to open them all. */
  async begin(): Promise<string> {
    return "";
  }

  times = fileTimes;

  endOf({ name }: RecordFile): number | undefined {
    const written = this.#written();
    return written?.name === name ? written.length : undefined;
  }

  async isBeingWritten(file: RecordFile): Promise<boolean> {
    const lane = asLaneFile(file)?.lane;
    return lane !== undefined && this.endOf(file) === undefined && (await isLaneHeld(this.#directory, lane));
  }
}
