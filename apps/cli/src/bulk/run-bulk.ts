import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { Worker } from "node:worker_threads";
import {
  type BulkFileProgress,
  type BulkFilterSummary,
  bulkFile,
  type Emit,
  type InputFormatName,
} from "@decern/bulk";
import { DecernError } from "@decern/core";
import { recordEncoder } from "@decern/decision-log";
import { CommandError, type CommandIo } from "../command-line/command.js";
import { Progress, writeText } from "../command-line/output.js";
import { decisionWork } from "../module/decision-work.js";
import { grouped } from "../text/text.js";
import {
  type BulkSettings,
  countsText,
  exitCodeFor,
  type FilterInput,
  type FilterOrder,
  type FilterReport,
  lineLogger,
  stoppedText,
  summaryText,
} from "./messages.js";

// The whole line fits a terminal of 80 columns, at a hundred million inputs.
const barLength = 12;

/**
 * Describes how far a job over a file is: a bar, and for evaluations their rate and the time left. What does not fit is left out,
 * first the rate, then the number of inputs: the time left is what people wait for.
 */
function bulkProgress(): (progress: BulkFileProgress, columns: number) => string {
  let began: { readonly ms: number; readonly items: number; readonly bytes: number } | undefined;
  return ({ phase, doneBytes, totalBytes, items }, columns) => {
    const share = totalBytes === 0 ? 1 : Math.min(doneBytes / totalBytes, 1);
    const filled = Math.floor(share * barLength);
    const bar = `[${"#".repeat(filled)}${"-".repeat(barLength - filled)}] ${Math.floor(share * 100)}%`;
    if (phase === "scan") return `${bar} reading the input`;
    if (phase === "check")
      return widest(columns, `${bar} checking what an earlier run has written`, `${bar} checking`);
    const nowMs = performance.now();
    // What an earlier run has done says nothing about how quick this one is.
    began ??= { ms: nowMs, items, bytes: doneBytes };
    const seconds = (nowMs - began.ms) / 1000;
    const inputs = `${grouped(items)} inputs`;
    if (seconds < 1 || doneBytes <= began.bytes) return widest(columns, `${bar} ${inputs}`, bar);
    const left = `${duration((seconds * (totalBytes - doneBytes)) / (doneBytes - began.bytes))} left`;
    const rate = `${grouped((items - began.items) / seconds)} a second`;
    return widest(
      columns,
      `${bar} ${inputs}, ${rate}, ${left}`,
      `${bar} ${inputs}, ${left}`,
      `${bar} ${left}`,
    );
  };
}

/** The first text that fits, or the last. */
function widest(columns: number, ...texts: readonly string[]): string {
  return texts.find(({ length }) => length <= columns) ?? texts.at(-1) ?? "";
}

/** Such as `0:05` and `1:02:03`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, "0")}:${rest}`;
}

export interface BulkFileSettings {
  readonly input: string;
  readonly output: string;
  readonly format: InputFormatName | undefined;
  readonly emit: Emit | "csv" | "record" | undefined;
  readonly key: string | undefined;
  readonly now: Date | undefined;
  readonly build: string | undefined;
  readonly threads: number | undefined;
  readonly partBytes: number | undefined;
  readonly maxLine: number | undefined;
}

export async function runBulkFile(
  settings: BulkFileSettings,
  data: BulkSettings,
  io: CommandIo,
): Promise<number> {
  // What is wrong is said once, and not by every thread.
  await decisionWork(data);
  recordEncoder({ mask: { [data.id]: data.mask } });
  const { threads, ...options } = settings;
  const progress = new Progress(io);
  const describe = bulkProgress();
  try {
    const summary = await bulkFile({
      ...options,
      work: { thread: new URL("./bulk-thread.js", import.meta.url), data, count: threads },
      signal: io.signal,
      logger: lineLogger((text) => {
        progress.end();
        io.stderr.write(text);
      }),
      onProgress: (told) => progress.tell((columns) => describe(told, columns)),
    });
    progress.end();
    if (summary.state === "stopped") {
      await writeText(io.stderr, stoppedText(summary));
      throw io.signal.reason;
    }
    await writeText(io.stdout, summaryText(summary, settings.output));
    return exitCodeFor(summary);
  } finally {
    progress.end();
  }
}

/** Names the input file or the folder, which the user gave as an argument and not as an option. */
export function argumentError(error: unknown, { input, output }: BulkFileSettings): unknown {
  if (!(error instanceof DecernError) || error.code !== "INVALID_OPTIONS") return error;
  const names: Readonly<Record<string, string>> = { "/input": input, "/output": output };
  const problem = error.problems.find(({ path }) => Object.hasOwn(names, path));
  if (problem === undefined) return error;
  return new CommandError(`${names[problem.path]} ${problem.message}`, { cause: error });
}

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
