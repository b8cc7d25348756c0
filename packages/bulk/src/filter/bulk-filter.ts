import type { Readable, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { DecernError, type Decision, type Logger } from "@decern/core";
import {
  checkOptions,
  consoleLogger,
  neverThrowing,
  type OptionTable,
  optionKinds,
  readable,
  systemClock,
} from "@decern/core/tools";
import type { BulkResult, BulkStatus } from "../items/bulk-source.js";
import { addCounts, countStatuses, FaultReports, itemsOf, noCounts } from "../items/counts-and-faults.js";
import { keyKind } from "../items/item-evaluator.js";
import { type ItemOptions, instantKind, itemEvaluator, itemOptionKinds } from "../items/item-options.js";
import { type Line, LineSplitter } from "../items/line-splitter.js";

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
  /** Stops the filter: lines that have arrived whole are evaluated, and no more are read. */
  readonly signal?: AbortSignal | undefined;
  /** Receives errors of the decision: the first few, then their total. @default the console */
  readonly logger?: Logger | undefined;
}

/** What a filter did. */
export interface BulkFilterSummary {
  /** `stopped`: by `signal`. */
  readonly state: "finished" | "stopped";
  /** Lines that were evaluated. */
  readonly items: number;
  readonly counts: Readonly<Record<BulkStatus, number>>;
}

/** The next bytes of a stream. Rejects with the stream's error. */
function nextChunk(
  chunks: AsyncIterator<unknown>,
  signal: AbortSignal,
): Promise<Buffer | "ended" | "stopped"> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve("stopped");
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    // Once it is stopped, what becomes of the stream is of no interest.
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

/** Writes, and waits until the stream takes more. Rejects where it fails or closes instead. */
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

const { wholeNumber, withMethods } = optionKinds;

const kinds: OptionTable<BulkFilterOptions> = {
  ...itemOptionKinds,
  input: withMethods("on"),
  output: withMethods("write"),
  key: keyKind,
  now: instantKind,
  maxLine: wholeNumber,
};

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
  checkOptions<BulkFilterOptions>("bulkFilter", options, {
    kinds,
    required: ["decision", "input", "output"],
  });
  const { input, output, maxLine = 1024 * 1024, signal = new AbortController().signal } = options;
  const faults = new FaultReports(neverThrowing(options.logger ?? consoleLogger));
  const answer = answerer(options, faults);
  const counts = { ...noCounts };
  const splitter = new LineSplitter(maxLine);
  const chunks: AsyncIterator<unknown> = input[Symbol.asyncIterator]();
  let state: BulkFilterSummary["state"] = "finished";
  // While the input is quiet, nothing is written that could fail: a reader that goes is noticed all the same.
  const gone = new AbortController();
  const onGone = (error?: unknown): void => gone.abort(error ?? new Error("The output was closed"));
  output.once("error", onGone).once("close", onGone);
  const stops = AbortSignal.any([signal, gone.signal]);
  const reply = async (lines: readonly Line[]): Promise<void> => {
    if (lines.length === 0) return;
    const results = lines.map(answer);
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
        await reply(splitter.end());
        break;
      }
      await reply(splitter.push(chunk));
      // Streams in memory would never let a signal or a timer have its turn.
      await turn();
    }
  } finally {
    // Tells the writer that its output is no longer read.
    input.destroy();
    output.off("error", onGone).off("close", onGone);
    faults.end(counts.ERROR);
  }
  return { state, items: itemsOf(counts), counts };
}

function answerer(options: BulkFilterOptions, faults: FaultReports): (line: Line) => BulkResult {
  const { now, key } = options;
  const evaluator = itemEvaluator(options, {
    place: "line",
    key,
    onFault: (error, line) => faults.add({ line, error: readable(error) }),
  });
  let count = 0;
  return (line) => {
    count += 1;
    const position = String(count);
    if (line === undefined) return evaluator.refuse(position, new DecernError("BODY_TOO_LARGE"));
    return evaluator.evaluate({ position, bytes: line }, now?.getTime() ?? systemClock.now());
  };
}
