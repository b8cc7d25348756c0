import type { Decision, Logger } from "@decern/core";
import type { InputFormatName } from "../formats/input-format.js";
import type { BulkStatus } from "../items/bulk-source.js";
import type { BulkWork } from "../parts/work.js";

/** Options of `bulkFile`. */
export interface BulkFileOptions<D extends Decision = Decision> {
  /** Path of a file. */
  readonly input: string;
  /** Path of a folder, created if missing. */
  readonly output: string;
  /** @default by the file's extension */
  readonly format?: InputFormatName | undefined;
  readonly work: BulkWork<D>;
  /**
   * How results are written: `compact`, `csv`, `envelope`, or the name of one of the work's encoders.
   *
   * @default "compact"
   */
  readonly emit?: string | undefined;
  /** JSON Pointer to the key of an input, such as `/id`: every result then has it as `key`. Not with encoders. @default none */
  readonly key?: string | undefined;
  /** The instant of all evaluations. @default when the job was first started */
  readonly now?: Date | undefined;
  /** The host's build, such as a commit: a part of the revision. */
  readonly build?: string | undefined;
  /** Nominal bytes of input for one file of output. @default 8 MiB */
  readonly partBytes?: number | undefined;
  /** Maximum bytes of a line. The result of a longer one is an error. @default 1 MiB */
  readonly maxLine?: number | undefined;
  /** Stops the job. Finished parts stay; start the job again to continue. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress a few times a second. */
  readonly onProgress?: ((progress: BulkFileProgress) => void) | undefined;
  /** Receives errors of the decision: the first few, then their total. @default the console */
  readonly logger?: Logger | undefined;
}

/** How far a job is. */
export interface BulkFileProgress {
  /** `scan` reads and hashes the input, `check` hashes what a former run has written, `evaluate` writes the output. */
  readonly phase: "scan" | "check" | "evaluate";
  /** Of the phase, in bytes of its input. */
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** Inputs that have a result, former runs included. */
  readonly items: number;
  readonly counts: Readonly<Record<BulkStatus, number>>;
}

/** The outcome of a job. */
export interface BulkFileSummary {
  /** `unchanged`: it had finished before, and there was nothing to do. `stopped`: by `signal`; start it again to continue. */
  readonly state: "finished" | "unchanged" | "stopped";
  /** Inputs that have a result, former runs included. */
  readonly items: number;
  readonly counts: Readonly<Record<BulkStatus, number>>;
  /** Parts of the file: all of them, those of former runs that were kept, and those that were made by this run. */
  readonly parts: { readonly total: number; readonly kept: number; readonly made: number };
  /** The instant of all evaluations. */
  readonly now: Date;
}
