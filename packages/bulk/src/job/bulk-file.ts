import type { Decision } from "@decern/core";
import { evaluatorRows } from "@decern/core/host";
import {
  checkOptions,
  consoleLogger,
  neverThrowing,
  type OptionKind,
  type OptionTable,
  optionKinds,
} from "@decern/core/tools";
import { type Crew, crewHere } from "../crew/crew.js";
import { threadCrew } from "../crew/thread-crew.js";
import { inputFormatNames } from "../formats/input-format.js";
import { formatOf } from "../formats/input-formats.js";
import { FaultReports, type LineFault } from "../items/counts-and-faults.js";
import { keyKind } from "../items/item-evaluator.js";
import { instantKind } from "../items/item-options.js";
import { type BulkWork, upTo, workKind } from "../parts/work.js";
import type { BulkFileOptions, BulkFileSummary } from "./bulk-file-options.js";
import { FileJob } from "./file-job.js";
import { openFolder } from "./job-folder.js";

const { nonEmptyText, wholeNumber, callback, withMethods } = optionKinds;

/** A line becomes one text, and V8 has no text of more than some 500 MB. */
const mostMaxLine = 256 * 1024 * 1024;

const formatKind: OptionKind = (value, path) =>
  inputFormatNames.some((name) => name === value)
    ? []
    : [{ path, message: `must be one of ${inputFormatNames.join(", ")}` }];

const kinds: OptionTable<BulkFileOptions> = {
  input: nonEmptyText,
  output: nonEmptyText,
  format: formatKind,
  work: workKind,
  emit: nonEmptyText,
  key: keyKind,
  now: instantKind,
  build: nonEmptyText,
  partBytes: wholeNumber,
  maxLine: upTo(mostMaxLine),
  signal: withMethods("addEventListener", "throwIfAborted"),
  onProgress: callback,
  logger: evaluatorRows.logger.kind,
};

/**
 * Evaluates every input of a file, and writes the results to a folder: `part-00000.ndjson` and so on, with one line for each
 * input, in order, and `manifest.json`, which says what they are. Interrupted at any point and started again with the same
 * options, it continues, and the output is the same to the byte.
 *
 * @returns what came of it; `stopped` where `signal` was aborted
 * @throws DecernError `INVALID_OPTIONS` (rejects with it) with every problem, and for a folder with anything else than a job
 * @throws DecernError `JOB_CHANGED` where the folder has a job with another input, revision, format, emit, key or instant
 * @throws DecernError `JOB_RUNNING` while another process writes the folder
 *
 * @example
 * ```ts
 * const { counts } = await bulkFile({ input: "loans.ndjson", output: "decided", work: { decision: loanApproval } });
 * ```
 */
export async function bulkFile<D extends Decision>(options: BulkFileOptions<D>): Promise<BulkFileSummary> {
  checkOptions<BulkFileOptions>("bulkFile", options, { kinds, required: ["input", "output", "work"] });
  const format = formatOf(options.input, options.format);
  const signal = options.signal ?? new AbortController().signal;
  const logger = neverThrowing(options.logger ?? consoleLogger);
  const faults = new FaultReports(logger);
  const lock = await openFolder(options.output);
  try {
    const openCrew = (): Promise<Crew> => crewOf(options.work, signal, faults.add);
    const job = new FileJob({ options, format, openCrew, lock, signal });
    const summary = await job.run();
    faults.end(job.faults);
    if (summary.parts.total === 0 && summary.state !== "stopped")
      logger.warn({ input: options.input }, "The file has no inputs");
    return summary;
  } finally {
    await lock.release();
  }
}

async function crewOf(
  work: BulkWork,
  signal: AbortSignal,
  onFault: (fault: LineFault) => void,
): Promise<Crew> {
  return "thread" in work ? await threadCrew(work, signal, onFault) : crewHere(work, signal, onFault);
}
