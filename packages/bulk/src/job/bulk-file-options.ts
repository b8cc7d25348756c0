import type { Decision } from "@decern/core";
import { kinds, type OptionsOf, option, type RowsOf, requiredOption } from "@decern/core/options";
import { type InputFormatName, inputFormatNames } from "../formats/input-format.js";
import type { BulkStatus } from "../items/bulk-source.js";
import { keyKind } from "../items/item-evaluator.js";
import { signalKind } from "../items/item-options.js";
import { type BulkWork, upTo, workKind } from "../parts/work.js";

/** A line becomes one text, and V8 has no text of more than some 500 MB. */
const mostMaxLine = 256 * 1024 * 1024;

const fileRows = {
  /** Path of a file. */
  input: requiredOption(kinds.nonEmptyText),
  /** Path of a folder: new, empty or with this job. */
  output: requiredOption(kinds.nonEmptyText),
  /** `ndjson` (`.ndjson`, `.jsonl`), `csv` or `parquet`. @default by extension */
  format: option(
    kinds.that<InputFormatName>(
      (value) => inputFormatNames.some((name) => name === value),
      `must be one of ${inputFormatNames.join(", ")}`,
    ),
  ),
};

const outputRows = {
  /** `compact`, `csv`, `envelope`, or the name of an encoder. @default "compact" */
  emit: option(kinds.nonEmptyText),
  /**
   * JSON Pointer into the input; not with encoders.
   *
   * Every result has that value of its input as `key`.
   * @default none
   */
  key: option(keyKind),
  /** Instant of every evaluation, a `Date`. @default first start */
  now: option(kinds.date),
  /**
   * Your build, such as a commit.
   *
   * It is a part of the revision.
   * @default none
   */
  build: option(kinds.nonEmptyText),
  /** Bytes of input per part, roughly. @default 8 MiB */
  partBytes: option(kinds.wholeNumber),
  /**
   * Longest line in bytes, at most 256 MiB.
   *
   * The result of a longer one is an error.
   * @default 1 MiB
   */
  maxLine: option(upTo(mostMaxLine)),
  /**
   * Stops the job; finished parts stay.
   *
   * Start the job again to continue.
   * @default none
   */
  signal: option(signalKind),
  /** Called with `{ phase, doneBytes, totalBytes, items, counts }`. @default none */
  onProgress: option(kinds.callback<(progress: BulkFileProgress) => void>()),
  /** Receives the first five errors, then their number. @default the console */
  logger: option(kinds.logger),
};

/** Options of `bulkFile`. */
export interface BulkFileOptions<D extends Decision = Decision>
  extends OptionsOf<typeof fileRows>,
    OptionsOf<typeof outputRows> {
  /** `{ thread, data?, execArgv?, count? }`, or without threads `{ decision, profiles?, encoders? }`. */
  readonly work: BulkWork<D>;
}

export const bulkFileRows = {
  ...fileRows,
  work: requiredOption(workKind),
  ...outputRows,
} satisfies RowsOf<BulkFileOptions>;

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
