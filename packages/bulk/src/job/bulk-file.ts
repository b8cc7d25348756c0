import type { Decision } from "@decern/core";
import { checkedOptions } from "@decern/core/options";
import { neverThrowing } from "@decern/core/tools";
import { type Crew, crewHere } from "../crew/crew.js";
import { threadCrew } from "../crew/thread-crew.js";
import { formatOf } from "../formats/input-formats.js";
import { FaultReports, type LineFault } from "../items/counts-and-faults.js";
import type { BulkWork } from "../parts/work.js";
import { type BulkFileOptions, type BulkFileSummary, bulkFileRows } from "./bulk-file-options.js";
import { FileJob } from "./file-job.js";
import { openFolder } from "./job-folder.js";

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
  const settings = checkedOptions("bulkFile", options, bulkFileRows);
  const format = formatOf(settings.input, settings.format);
  const signal = settings.signal ?? new AbortController().signal;
  const logger = neverThrowing(settings.logger);
  const faults = new FaultReports(logger);
  const lock = await openFolder(settings.output);
  try {
    const openCrew = (): Promise<Crew> => crewOf(settings.work, signal, faults.add);
    const job = new FileJob({ options: settings, format, openCrew, lock, signal });
    const summary = await job.run();
    faults.end(job.faults);
    if (summary.parts.total === 0 && summary.state !== "stopped")
      logger.warn({ input: settings.input }, "The file has no inputs");
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
