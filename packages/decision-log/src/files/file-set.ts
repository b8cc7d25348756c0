import { asLaneFile, erasureLane, listLanes } from "../lanes/lane-file.js";
import { isLaneHeld, laneOrder, type WrittenFile } from "../lanes/lane-writer.js";
import type { RecordFile } from "../lines/line-blocks.js";
import { BlockTimes, type FileOrder, type FileTimes, fileTimes } from "../lines/times.js";

export interface FileChain {
  readonly name: string;
  /** Whether its first records may be missing, because they were too old or are elsewhere. */
  readonly mayLackFirst: boolean;
  readonly files: readonly RecordFile[];
}

export interface FileSet {
  chains(): Promise<readonly FileChain[]>;
  erasures(): Promise<readonly FileChain[]>;
  /** About when the first record of a chain was written, ISO 8601: the chain is opened then. Empty for immediately. */
  begin(chain: FileChain): Promise<string>;
  /** Possible times of a file's records; `undefined` for a file without records. */
  times(file: RecordFile): Promise<FileTimes | undefined>;
  readonly blockTimes: BlockTimes;
  readonly order: FileOrder;
  /** Where to stop reading; `undefined` for the end of the file. */
  endOf(file: RecordFile): number | undefined;
  /** Whether a process may be adding to the file. */
  isBeingWritten(file: RecordFile): Promise<boolean>;
  /** Whether the last line of a file may lack its newline. Otherwise such a line is incomplete. */
  readonly mayLackLastNewline: boolean;
}

export class LaneSet implements FileSet {
  readonly mayLackLastNewline = false;
  readonly blockTimes = new BlockTimes();
  readonly order = laneOrder;
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

  /** There are only as many lanes as writing processes. */
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
