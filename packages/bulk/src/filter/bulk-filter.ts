import { setImmediate as turn } from "node:timers/promises";
import { type BulkResult, DecernError, type Decision } from "@decern/core";
import {
  checkOptions,
  consoleLogger,
  neverThrowing,
  type OptionTable,
  optionKinds,
  readable,
  systemClock,
} from "@decern/core/tools";
import { FaultReports } from "../files/job/fault-reports.js";
import { instantKind } from "../instant-kind.js";
import { itemEvaluator, itemOptionKinds } from "../item-options.js";
import { keyKind } from "../key-of.js";
import { addCounts, countStatuses, itemsOf, noCounts } from "../status-counts.js";
import type { BulkFilterOptions, BulkFilterSummary } from "./bulk-filter-options.js";
import { type Line, LineSplitter } from "./line-splitter.js";
import { nextChunk, writeAll } from "./streams.js";

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
 * Writes a line of JSON for each line of JSON, in order. Answers to the lines that have arrived are written at once, however
 * few they are: a program that sends a block and waits for its answers gets them. It reads no further while nobody reads the answers.
 *
 * @returns what it did, once the input has ended or `signal` is aborted
 * @throws DecernError `INVALID_OPTIONS` (rejects with it) with every problem
 * @throws the error of a stream (rejects with it), such as `EPIPE` once nobody reads the answers any more
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
