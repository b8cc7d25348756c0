import type { Readable, Writable } from "node:stream";
import type { BulkStatus, Decision, Logger } from "@decern/core";
import type { ItemOptions } from "../item-options.js";

/** Options of `bulkFilter`. */
export interface BulkFilterOptions<D extends Decision = Decision> extends ItemOptions<D> {
  /** Inputs as NDJSON, such as `process.stdin`. */
  readonly input: Readable;
  /** Where results go, such as `process.stdout`. It is not ended. */
  readonly output: Writable;
  /** JSON Pointer to the key of an input, such as `/id`: every result then has it as `key`. @default none */
  readonly key?: string | undefined;
  /** The instant of all evaluations. @default when each line is evaluated */
  readonly now?: Date | undefined;
  /** Maximum bytes of a line. The result of a longer one is an error. @default 1 MiB */
  readonly maxLine?: number | undefined;
  /** Stops the filter: lines that have arrived whole are answered, and no more are read. */
  readonly signal?: AbortSignal | undefined;
  /** Receives faults of the decision: the first few, then their total. @default the console */
  readonly logger?: Logger | undefined;
}

/** What a filter did. */
export interface BulkFilterSummary {
  /** `stopped`: by `signal`. */
  readonly state: "finished" | "stopped";
  /** Lines that were answered. */
  readonly items: number;
  readonly counts: Readonly<Record<BulkStatus, number>>;
}
