import type { FileChain, FileSet } from "../file-set.js";
import { BlockTimes } from "../lines/block-times.js";
import type { RecordFile } from "../lines/record-file.js";
import { fileTimes } from "./file-times.js";
import { asLaneFile, erasureLane, listLanes } from "./lane-file.js";
import { isLaneHeld } from "./lane-lock.js";
import type { WrittenFile } from "./lane-writer.js";

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
