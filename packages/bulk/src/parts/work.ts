import type { Decision, ProfilesOf } from "@decern/core";
import { decisionKind } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { BulkEncoder } from "./encoder.js";

/** Where a file is evaluated: in this thread, or in worker threads. */
export type BulkWork<D extends Decision = Decision> = BulkWorkHere<D> | BulkWorkInThreads;

/** What a thread evaluates. */
export interface BulkWorkHere<D extends Decision = Decision> {
  readonly decision: D;
  /** By decision id: for this decision and those that it uses. @default their own */
  readonly profiles?: ProfilesOf<readonly [D]> | undefined;
  /** Ways to write results, besides `compact` and `envelope`. */
  readonly encoders?: readonly BulkEncoder[] | undefined;
}

/** Threads that evaluate parts of a file side by side. */
export interface BulkWorkInThreads {
  /** A module that calls `serveBulkThread`. */
  readonly thread: URL;
  /** For the module: `workerData` of `node:worker_threads`. */
  readonly data?: unknown;
  /** Options of Node for the threads, such as `--import` of a loader. @default those of this process */
  readonly execArgv?: readonly string[] | undefined;
  /** How many threads. @default as many as the machine has cores */
  readonly count?: number | undefined;
}

/** A whole number from 1 to `most`. */
export function upTo(most: number): OptionKind {
  return (value, path) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
      ? []
      : [{ path, message: `must be a whole number from 1 to ${most}` }];
}

const { anything, callback, group, listOf, nonEmptyText, object, text } = optionKinds;

const encoderKinds: OptionTable<BulkEncoder> = { name: nonEmptyText, encodePart: callback };

export const workHereKinds: OptionTable<BulkWorkHere> = {
  decision: decisionKind,
  profiles: object,
  encoders: listOf(group(encoderKinds, ["name", "encodePart"])),
};

const urlKind: OptionKind = (value, path) =>
  value instanceof URL ? [] : [{ path, message: "must be a URL, such as new URL(…, import.meta.url)" }];

/** More threads than this are a mistake: each has a heap of its own. */
export const mostThreads = 256;

const threadKinds: OptionTable<BulkWorkInThreads> = {
  thread: urlKind,
  data: anything,
  execArgv: listOf(text),
  count: upTo(mostThreads),
};

/** Work in this thread, or in others. */
export const workKind: OptionKind = (value, path) => {
  const isInThreads = isJsonObject(value) && value["thread"] !== undefined;
  return isInThreads
    ? group(threadKinds, ["thread"])(value, path)
    : group(workHereKinds, ["decision"])(value, path);
};
