import { availableParallelism } from "node:os";
import { DecernError } from "@decern/core";
import { isSameJson } from "@decern/core/tools";
import type { BulkWorkInThreads } from "../bulk-file-options.js";
import { BulkThread } from "../threads/bulk-thread.js";
import { mostThreads } from "../work-kinds.js";
import type { Crew, LineFault } from "./crew.js";

/**
 * Starts a thread and waits until it is ready. The others are started once it is known how many parts there are.
 *
 * @throws DecernError `INVALID_OPTIONS` (`members` rejects with it) where threads do not evaluate the same
 */
export async function threadCrew(
  work: BulkWorkInThreads,
  signal: AbortSignal,
  onFault: (fault: LineFault) => void,
): Promise<Crew> {
  const { count = Math.min(availableParallelism(), mostThreads) } = work;
  const threads: BulkThread[] = [];
  const close = async (): Promise<void> => {
    signal.removeEventListener("abort", stop);
    await Promise.all(threads.map((one) => one.stop()));
  };
  const stop = (): void => void close();
  const started = async (wanted: number) => {
    signal.throwIfAborted();
    while (threads.length < wanted) threads.push(new BulkThread(work, onFault));
    return await Promise.all(threads.map((one) => one.ready));
  };
  try {
    signal.addEventListener("abort", stop);
    const [first] = await started(1);
    if (first === undefined) throw new TypeError("there is no thread");
    const members = async (parts: number): Promise<readonly BulkThread[]> => {
      const all = await started(Math.min(count, parts));
      if (all.some((other) => !isSameJson(other, first))) throw differing();
      return threads;
    };
    return { ...first, members, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function differing(): DecernError {
  const message =
    "creates a different decision or profile in each thread, so results would depend on the thread";
  return new DecernError("INVALID_OPTIONS", {
    detail: "bulkFile",
    problems: [{ path: "/work/thread", message }],
  });
}
