import { inspect } from "node:util";
import { isMainThread, parentPort } from "node:worker_threads";
import { DecernError, type Decision, type ErrorCode, type Problem } from "@decern/core";
import { checkedOptions } from "@decern/core/options";
import { readable } from "@decern/core/tools";
import type { BulkStatus } from "../items/bulk-source.js";
import type { LineFault } from "../items/counts-and-faults.js";
import type { ManifestPart, PartResult, Revision } from "../parts/manifest.js";
import { type PartJob, PartMaker } from "../parts/part-maker.js";
import { type BulkWorkHere, workHereRows } from "../parts/work.js";

/** Evaluates the parts of a file, in this thread or in others. */
export interface Crew {
  readonly revision: Revision;
  readonly emits: readonly string[];
  /** Returns those who make the parts: no more than there are parts. */
  members(parts: number): Promise<readonly CrewMember[]>;
  close(): Promise<void>;
}

export interface CrewMember {
  /** Rejects if the part cannot be made, or once the job is stopped. */
  make(job: PartJob, part: ManifestPart, onBlock: OnBlock): Promise<PartResult>;
}

export type OnBlock = (counts: Readonly<Record<BulkStatus, number>>) => void;

/** Evaluates in this thread. The event loop is yielded after each block. */
export function crewHere(work: BulkWorkHere, signal: AbortSignal, onFault: (fault: LineFault) => void): Crew {
  const maker = new PartMaker(work);
  const member: CrewMember = {
    make: (job, part, onBlock) =>
      maker.make(job, part, {
        onFault: (error, line) => onFault({ line, error }),
        onBlock: (counts) => {
          signal.throwIfAborted();
          onBlock(counts);
        },
      }),
  };
  return {
    revision: maker.revision,
    emits: maker.emits,
    members: async () => [member],
    close: () => maker.close(),
  };
}

export interface ThreadOrder {
  readonly job: PartJob;
  readonly part: ManifestPart;
}

/** Messages of a thread. Parts are named by their files: a thread makes several at the same time. */
export type ThreadReport =
  | { readonly type: "ready"; readonly revision: Revision; readonly emits: readonly string[] }
  | { readonly type: "block"; readonly file: string; readonly counts: Readonly<Record<BulkStatus, number>> }
  | { readonly type: "fault"; readonly line: string; readonly error: ThreadError }
  | { readonly type: "made"; readonly file: string; readonly result: PartResult }
  | { readonly type: "failed"; readonly error: ThreadError };

interface ThreadError {
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: ErrorCode | undefined;
  readonly problems: readonly Problem[];
}

/** Text, because some thrown values cannot be copied to another thread. */
function toThreadError(thrown: unknown): ThreadError {
  const error = readable(thrown);
  if (!(error instanceof Error))
    return { message: inspect(error), stack: undefined, code: undefined, problems: [] };
  const isOurs = error instanceof DecernError;
  return {
    message: error.message,
    // With its causes.
    stack: inspect(error),
    code: isOurs ? error.code : undefined,
    problems: isOurs ? error.problems.map(({ path, message }) => ({ path, message })) : [],
  };
}

export function fromThreadError({ message, stack, code, problems }: ThreadError): Error {
  const error = code === undefined ? new Error(message) : new DecernError(code, { problems });
  error.message = message;
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Interval between progress reports, in milliseconds. */
const reportMs = 100;
/** This many errors are reported in full. All are counted. */
const toldFaults = 5;

/**
 * Evaluates parts of a file for `bulkFile`, in the thread of a module that `work.thread` names.
 *
 * @throws DecernError `INVALID_OPTIONS` outside a thread, and with every problem
 *
 * @example
 * ```ts
 * import { serveBulkThread } from "@decern/bulk";
 * import { loanApproval } from "./decisions.js";
 *
 * serveBulkThread({ decision: loanApproval });
 * ```
 */
export function serveBulkThread<D extends Decision>(work: BulkWorkHere<D>): void {
  const port = parentPort;
  if (isMainThread || port === null)
    throw new DecernError("INVALID_OPTIONS", { detail: "serveBulkThread must be called in a thread" });
  const say = (report: ThreadReport): void => port.postMessage(report);
  let maker: PartMaker;
  try {
    maker = new PartMaker(checkedOptions("serveBulkThread", work, workHereRows));
  } catch (thrown) {
    say({ type: "failed", error: toThreadError(thrown) });
    return;
  }
  let faults = 0;
  let nextMs = 0;
  port.on("message", ({ job, part }: ThreadOrder) => {
    const watcher = {
      onFault: (error: DecernError, line: string): void => {
        faults += 1;
        if (faults <= toldFaults) say({ type: "fault", line, error: toThreadError(error) });
      },
      onBlock: (counts: PartCounts): void => {
        const nowMs = performance.now();
        if (nowMs < nextMs) return;
        nextMs = nowMs + reportMs;
        say({ type: "block", file: part.file, counts });
      },
    };
    maker.make(job, part, watcher).then(
      (result) => say({ type: "made", file: part.file, result }),
      (thrown: unknown) => say({ type: "failed", error: toThreadError(thrown) }),
    );
  });
  say({ type: "ready", revision: maker.revision, emits: maker.emits });
}

type PartCounts = Extract<ThreadReport, { readonly type: "block" }>["counts"];
