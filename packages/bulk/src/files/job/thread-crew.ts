import { availableParallelism } from "node:os";
import { DecernError } from "@decern/core";
import { isSameJson } from "@decern/core/host";
import type { BulkWorkInThreads } from "../bulk-file-options.js";
import { BulkThread } from "../threads/bulk-thread.js";
import { type Crew, inLanes, type LineFault } from "./crew.js";

/**
 * Starts threads and waits until each of them is ready.
 *
 * @throws DecernError `INVALID_OPTIONS` where they do not evaluate the same
 */
export async function threadCrew(
  work: BulkWorkInThreads,
  signal: AbortSignal,
  onFault: (fault: LineFault) => void,
): Promise<Crew> {
  signal.throwIfAborted();
  const { count = availableParallelism() } = work;
  const threads = Array.from({ length: count }, () => new BulkThread(work, onFault));
  const close = async (): Promise<void> => {
    signal.removeEventListener("abort", stop);
    await Promise.all(threads.map((one) => one.stop()));
  };
  const stop = (): void => void close();
  try {
    signal.addEventListener("abort", stop);
    const [first, ...others] = await Promise.all(threads.map((one) => one.ready));
    if (first === undefined) throw new TypeError("there is no thread");
    if (others.some((other) => !isSameJson(other, first))) throw differing();
    return { ...first, members: inLanes(threads), close };
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
