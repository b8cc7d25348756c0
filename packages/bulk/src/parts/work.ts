import type { Decision, ProfilesOf } from "@decern/core";
import {
  decisionKind,
  type Kind,
  kinds,
  type OptionsOf,
  option,
  type RowsOf,
  requiredOption,
} from "@decern/core/options";
import { isJsonObject } from "@decern/core/schema";
import type { BulkEncoder } from "./encoder.js";

/** Where a file is evaluated: in this thread, or in worker threads. */
export type BulkWork<D extends Decision = Decision> = BulkWorkHere<D> | BulkWorkInThreads;

const encoderRows = {
  name: requiredOption(kinds.nonEmptyText),
  encodePart: requiredOption(kinds.callback<BulkEncoder["encodePart"]>()),
} satisfies RowsOf<BulkEncoder>;

const encodersRows = {
  /** Ways to write results, besides `compact` and `envelope`. */
  encoders: option(kinds.listOf(kinds.group(encoderRows))),
};

/** What a thread evaluates. */
export interface BulkWorkHere<D extends Decision = Decision> extends OptionsOf<typeof encodersRows> {
  readonly decision: D;
  /** By decision id: for this decision and those that it uses. @default their own */
  readonly profiles?: ProfilesOf<readonly [D]> | undefined;
}

export const workHereRows = {
  decision: requiredOption(decisionKind),
  profiles: option(kinds.object<ProfilesOf<readonly [Decision]>>()),
  ...encodersRows,
} satisfies RowsOf<BulkWorkHere>;

/** A whole number from 1 to `most`. */
export function upTo(most: number): Kind<number> {
  return kinds.that(
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most,
    `must be a whole number from 1 to ${most}`,
  );
}

/** More threads than this are a mistake: each has a heap of its own. */
export const mostThreads = 256;

const threadRows = {
  /** A module that calls `serveBulkThread`. */
  thread: requiredOption(
    kinds.that<URL>((value) => value instanceof URL, "must be a URL, such as new URL(…, import.meta.url)"),
  ),
  /** For the module: `workerData` of `node:worker_threads`. */
  data: option(kinds.anything()),
  /** Options of Node for the threads, such as `--import` of a loader. @default those of this process */
  execArgv: option(kinds.listOf(kinds.text)),
  /** How many threads. @default as many as the machine has cores */
  count: option(upTo(mostThreads)),
};

/** Threads that evaluate parts of a file alongside each other. */
export interface BulkWorkInThreads extends OptionsOf<typeof threadRows> {}

const inThreads = kinds.group(threadRows);

const here = kinds.group(workHereRows);

/** Work in this thread, or in others. */
export const workKind: Kind<BulkWork> = (value, path) =>
  isJsonObject(value) && value["thread"] !== undefined ? inThreads(value, path) : here(value, path);
