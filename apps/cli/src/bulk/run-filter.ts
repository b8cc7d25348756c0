import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { Worker } from "node:worker_threads";
import type { BulkFilterSummary } from "@decern/bulk";
import { CommandError, type CommandIo } from "../command-line/command.js";
import { writeText } from "../command-line/output.js";
import {
  countsText,
  exitCodeFor,
  type FilterInput,
  type FilterOrder,
  type FilterReport,
} from "./messages.js";

type Counts = BulkFilterSummary["counts"];

/**
 * Evaluates the lines of standard input. Returns the exit code. Rules run in a thread, because a signal reaches only a main thread that is not
 * busy: so it can end a rule that never returns. This thread writes whole lines only.
 */
export async function runBulkFilter(order: FilterOrder, io: CommandIo): Promise<number> {
  const thread = new Worker(new URL("./filter-thread.js", import.meta.url), {
    workerData: order,
    stderr: true,
  });
  const said = pipeline(thread.stderr, io.stderr, { end: false });
  let counts: Counts;
  try {
    counts = await finished(thread, io);
  } finally {
    await thread.terminate();
    await said;
  }
  const code = exitCodeFor({ counts });
  if (code !== 0) await writeText(io.stderr, `decern: ${countsText(counts)}\n`);
  return code;
}

/** Gives the thread its input as it asks for it, and writes its results, until it has finished. */
function finished(thread: Worker, { stdin, stdout, signal }: CommandIo): Promise<Counts> {
  const chunks: AsyncIterator<unknown> = stdin[Symbol.asyncIterator]();
  const sendNext = async (): Promise<void> => {
    // Reads no further until the results so far are read.
    if (stdout.writableNeedDrain) await once(stdout, "drain");
    const { done, value } = await chunks.next();
    const input: FilterInput = done === true ? null : bytesOf(value);
    thread.postMessage(input);
  };
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    signal.throwIfAborted();
    thread.once("error", reject);
    thread.once("exit", () =>
      reject(new CommandError("the module ended the process before the command was done")),
    );
    thread.on("message", (report: FilterReport) => {
      // What arrives after a stop would come between the end of the output and that of the process.
      if (signal.aborted) return;
      if (report.type === "more") sendNext().catch(reject);
      else if (report.type === "results") stdout.write(report.text);
      else resolve(report.counts);
    });
  });
}

function bytesOf(chunk: unknown): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
}
