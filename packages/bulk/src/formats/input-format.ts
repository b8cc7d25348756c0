import { type Awaitable, DecernError, type Decision } from "@decern/core";

export const inputFormatNames = ["ndjson", "csv", "parquet"] as const;

export type InputFormatName = (typeof inputFormatNames)[number];

/** How files of one kind are cut into parts, and how their inputs are read. */
export interface InputFormat {
  readonly name: InputFormatName;
  /** Parts made at the same time in a thread: while one waits for the disk, the next is evaluated. */
  readonly lanes: number;
  scanner(options: ScanOptions): InputScanner;
  /** Opens a file to read parts of it, in whichever thread evaluates them. */
  open(input: OpenedInput): Promise<PartReader>;
}

export interface ScanOptions {
  readonly path: string;
  /** Nominal size of a part, in bytes of the file. */
  readonly partBytes: number;
}

/** Sees every byte of a file once, in order, while the file is hashed. */
export interface InputScanner {
  /** @param block - valid during the call */
  push(block: Buffer): void;
  /** Called after the last block. A format may read its file again here, such as for an index at its end. */
  end(): Awaitable<ScannedInput>;
}

export interface ScannedInput {
  readonly parts: readonly PartRange[];
  /** What readers of parts need from the whole file, such as the names of its columns. Must have a JSON form. */
  readonly details?: unknown;
}

/** A run of inputs that are next to each other in a file. */
export interface PartRange {
  /** Where it begins and where it ends, in a unit of the format: bytes, or rows of Parquet. */
  readonly start: number;
  readonly end: number;
  /** Number of the first input's line, from 1. For Parquet, the number of the row. */
  readonly firstLine: number;
  /** Number of inputs, and of lines of output. */
  readonly records: number;
}

interface OpenedInput {
  readonly path: string;
  /** Most bytes of a line. */
  readonly maxLine: number;
  /** As the scanner returned them. */
  readonly details: unknown;
  /** A format without types reads what its input schema wants. */
  readonly decision: Decision;
}

export interface PartReader {
  /** Awaits `sink.flush()` after each block, so memory stays bounded. */
  read(part: PartRange, sink: InputSink): Promise<void>;
  close(): Promise<void>;
}

/** Evaluates inputs immediately. Each call is one line of output. */
export interface InputSink {
  /** @param text - JSON text, which is parsed here */
  json(line: number, text: string): void;
  /**
   * Takes an input that is not JSON text but a JSON value, such as a row.
   *
   * @param isSuspicious - whether it may have a key that reaches into a prototype, which is looked for here
   */
  value(line: number, input: unknown, isSuspicious: boolean): void;
  /** Its status is `INVALID_JSON`. */
  refuse(line: number, error: DecernError): void;
  /** Writes the results so far, and yields the event loop. Rejects once the job is stopped. */
  flush(): Promise<void>;
}

/** Rejects a file as a whole. @param message - such as `is empty` */
export function unreadable(message: string): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "bulkFile", problems: [{ path: "/input", message }] });
}
