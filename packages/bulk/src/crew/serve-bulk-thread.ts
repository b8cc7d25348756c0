import { isMainThread, parentPort } from "node:worker_threads";
import { DecernError, type Decision } from "@decern/core";
import { checkedOptions } from "@decern/core/options";
import { PartMaker } from "../parts/part-maker.js";
import { type BulkWorkHere, workHereRows } from "../parts/work.js";
import { type ThreadOrder, type ThreadReport, toThreadError } from "./crew.js";

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
