import type { Readable, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { DecernError, Decision } from "@decern/core";
import {
  checkedOptions,
  kinds,
  type OptionsOf,
  option,
  type RowsOf,
  requiredOption,
} from "@decern/core/options";
import { neverThrowing, readable } from "@decern/core/tools";
import type { BulkResult, BulkStatus } from "../items/bulk-source.js";
import { addCounts, countStatuses, FaultReports, itemsOf, noCounts } from "../items/counts-and-faults.js";
import { keyKind } from "../items/item-evaluator.js";
import { type ItemOptions, itemEvaluator, itemRows, signalKind } from "../items/item-options.js";
import { LineCutter } from "../items/line-cutter.js";

const streamRows = {
  /** Inputs as NDJSON, such as `process.stdin`. */
  input: requiredOption(kinds.withMethods<Readable>("on")),
  /** Where results go, such as `process.stdout`. It is not ended. */
  output: requiredOption(kinds.withMethods<Writable>("write")),
  /** JSON Pointer to the key of an input, such as `/id`: every result then has it as `key`. @default none */
  key: option(keyKind),
  /** The instant of all evaluations. @default when each line is evaluated */
  now: option(kinds.date),
  /** Maximum bytes of a line. The result of a longer one is an error. @default 1 MiB */
  maxLine: option(kinds.wholeNumber, 1024 * 1024),
  /** Stops the filter: whole lines that have arrived are evaluated, and no more are read. */
  signal: option(signalKind),
  /** Receives errors of the decision: the first five, then their number. @default the console */
  logger: option(kinds.logger),
};

/** Options of `bulkFilter`. */
export interface BulkFilterOptions<D extends Decision = Decision>
  extends ItemOptions<D>,
    OptionsOf<typeof streamRows> {}

const rows = { ...itemRows, ...streamRows } satisfies RowsOf<BulkFilterOptions>;

/** What a filter did. */
export interface BulkFilterSummary {
  /** `stopped`: by `signal`. */
  readonly state: "finished" | "stopped";
  /** Lines with a result. */
  readonly items: number;
  readonly counts: Readonly<Record<BulkStatus, number>>;
}

/** Rejects with the stream's error. */
function nextChunk(
  chunks: AsyncIterator<unknown>,
  signal: AbortSignal,
): Promise<Buffer | "ended" | "stopped"> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve("stopped");
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    // Once it is stopped, the stream no longer matters.
    const done = (): void => signal.removeEventListener("abort", stop);
    chunks.next().then(
      (next) => {
        done();
        resolve(next.done === true ? "ended" : bytesOf(next.value));
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}

function bytesOf(chunk: unknown): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

/** Resolves when the stream takes more, and rejects if it fails or closes. */
function writeAll(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let takesMore = false;
    stream.write(text, (error) => {
      if (error) reject(error);
      else if (!takesMore) resolve();
    });
    takesMore = !stream.writableNeedDrain;
    if (takesMore) resolve();
  });
}

/**
 * Writes a line of JSON for each line of JSON, in order. The results of the lines that have arrived are written immediately, however
 * few they are: a program that sends a block and waits for its results gets them. It reads no further while the results aren't read.
 *
 * @returns what it did, once the input has ended or `signal` is aborted
 * @throws DecernError `INVALID_OPTIONS` (rejects with it) with every problem
 * @throws the error of a stream (rejects with it), such as `EPIPE` once the results aren't read any more
 *
 * @example
 * ```ts
 * await bulkFilter({ decision: loanApproval, input: process.stdin, output: process.stdout });
 * ```
 */
export async function bulkFilter<D extends Decision>(
  options: BulkFilterOptions<D>,
): Promise<BulkFilterSummary> {
  const settings = checkedOptions("bulkFilter", options, rows);
  const { input, output, maxLine, signal = new AbortController().signal } = settings;
  const faults = new FaultReports(neverThrowing(settings.logger));
  const answer = answerer(settings, faults);
  const counts = { ...noCounts };
  const cutter = new LineCutter(maxLine);
  const chunks: AsyncIterator<unknown> = input[Symbol.asyncIterator]();
  let state: BulkFilterSummary["state"] = "finished";
  // While the input is quiet, no write could fail: this notices a reader that goes away.
  const gone = new AbortController();
  const onGone = (error?: unknown): void => gone.abort(error ?? new Error("The output was closed"));
  output.once("error", onGone).once("close", onGone);
  const stops = AbortSignal.any([signal, gone.signal]);
  const reply = async (lines: Iterable<string | DecernError>): Promise<void> => {
    const results = Array.from(lines, answer);
    if (results.length === 0) return;
    addCounts(counts, countStatuses(results));
    await writeAll(output, results.map(({ text }) => `${text}\n`).join(""));
  };
  try {
    for (;;) {
      const chunk = await nextChunk(chunks, stops);
      if (chunk === "stopped") {
        gone.signal.throwIfAborted();
        state = "stopped";
        break;
      }
      if (chunk === "ended") {
        const last = cutter.end();
        if (last !== undefined) await reply([last]);
        break;
      }
      await reply(cutter.lines(chunk));
      // Streams in memory would otherwise never yield to a signal or a timer.
      await turn();
    }
  } finally {
    // Tells the sender that nothing reads its output.
    input.destroy();
    output.off("error", onGone).off("close", onGone);
    faults.end(counts.ERROR);
  }
  return { state, items: itemsOf(counts), counts };
}

function answerer(
  options: BulkFilterOptions,
  faults: FaultReports,
): (line: string | DecernError) => BulkResult {
  const { now, key } = options;
  const evaluator = itemEvaluator(options, "line", key, (error, line) =>
    faults.add({ line, error: readable(error) }),
  );
  let count = 0;
  return (line) => {
    count += 1;
    const position = String(count);
    return typeof line === "string"
      ? evaluator.evaluateText(position, line, now?.getTime() ?? Date.now())
      : evaluator.refuse(position, line);
  };
}
