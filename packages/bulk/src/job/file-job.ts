import { DecernError, type Decision } from "@decern/core";
import { checkedOptions } from "@decern/core/options";
import { neverThrowing } from "@decern/core/tools";
import { type Crew, type CrewMember, crewHere } from "../crew/crew.js";
import { threadCrew } from "../crew/thread-crew.js";
import type { InputFormat } from "../formats/input-format.js";
import { formatOf } from "../formats/input-formats.js";
import { FaultReports, itemsOf, type LineFault, noCounts } from "../items/counts-and-faults.js";
import { fileEmits } from "../items/item-evaluator.js";
import { type Manifest, ManifestFile, type ManifestPart } from "../parts/manifest.js";
import type { BulkWork } from "../parts/work.js";
import { type BulkFileOptions, type BulkFileSummary, bulkFileRows } from "./bulk-file-options.js";
import { InputFile, refuse } from "./input-file.js";
import {
  deleteTemporaryFiles,
  type FolderLock,
  isIntact,
  openFolder,
  refuseOtherFiles,
} from "./job-folder.js";
import {
  firstManifest,
  type JobNow,
  partBytesOf,
  partJobOf,
  refuseChanges,
  refuseOtherInput,
} from "./job-plan.js";
import { JobProgress, shareOut } from "./progress.js";

interface FileJobContext {
  readonly options: BulkFileOptions;
  readonly format: InputFormat;
  readonly openCrew: () => Promise<Crew>;
  readonly lock: FolderLock;
  readonly signal: AbortSignal;
}

/** One run of a job, which begins it or continues it. */
class FileJob {
  readonly #context: FileJobContext;
  #manifest: Manifest | undefined;
  #progress: JobProgress | undefined;
  #kept = 0;
  #made = 0;
  /** Errors of the decision in the parts that this run has made. */
  faults = 0;

  constructor(context: FileJobContext) {
    this.#context = context;
  }

  async run(): Promise<BulkFileSummary> {
    try {
      const crew = await this.#context.openCrew();
      try {
        return this.#summary(await this.#run(crew));
      } finally {
        await crew.close();
        await this.#tidyUp();
      }
    } catch (error) {
      if (this.#context.signal.aborted) return this.#summary("stopped");
      throw error;
    }
  }

  async #run(crew: Crew): Promise<BulkFileSummary["state"]> {
    const { options, format, signal } = this.#context;
    const { output } = options;
    const job = this.#jobNow(crew);
    const former = await ManifestFile.read(output);
    this.#manifest = former;
    if (former !== undefined) refuseChanges(former, job);
    else await refuseOtherFiles(output);
    const input = await InputFile.find(options.input);
    // A different size shows before the whole file is read.
    if (former !== undefined) refuseOtherInput(former, { ...former.input, size: input.size });
    const progress = new JobProgress(input.size, options.onProgress);
    this.#progress = progress;
    const scanned = await input.scan(format, partBytesOf(former, job), (bytes) => {
      signal.throwIfAborted();
      progress.read("scan", bytes);
    });
    if (former !== undefined) refuseOtherInput(former, scanned.identity);
    const manifest = former ?? firstManifest(job, scanned, isForeign(job.emit));
    this.#manifest = manifest;
    await deleteTemporaryFiles(output);
    const file = new ManifestFile(output, manifest);
    const missing = await this.#missing(manifest, file, progress);
    if (former?.state === "finished" && missing.length === 0) return "unchanged";
    const members = await crew.members(missing.length);
    await file.begin();
    await this.#makeAll(members, missing, manifest, file, input, progress);
    await file.finish();
    progress.end();
    return "finished";
  }

  #jobNow(crew: Crew): JobNow {
    const { options, format } = this.#context;
    const { emit = "compact", key, now, partBytes, maxLine, build } = options;
    if (!crew.emits.includes(emit)) throw refuse("/emit", `must be one of ${crew.emits.join(", ")}`);
    if (key !== undefined && isForeign(emit)) throw refuse("/key", `cannot be used with the encoder ${emit}`);
    const revision = build === undefined ? crew.revision : { ...crew.revision, build };
    return { format: format.name, emit, key, revision, now: now?.toISOString(), partBytes, maxLine };
  }

  /** Checks the parts of former runs, and returns those that have to be made. */
  async #missing(
    manifest: Manifest,
    file: ManifestFile,
    progress: JobProgress,
  ): Promise<readonly (readonly [number, ManifestPart])[]> {
    const { options, signal } = this.#context;
    const missing: (readonly [number, ManifestPart])[] = [];
    let checkedBytes = 0;
    progress.begin(manifest.parts);
    for (const [index, part] of manifest.parts.entries()) {
      const intact = await isIntact(options.output, part, () => signal.throwIfAborted());
      if (intact && part.done !== undefined) {
        progress.keep(part, part.done.counts);
        this.#kept += 1;
      } else {
        file.note(index, undefined);
        missing.push([index, part]);
      }
      checkedBytes += part.end - part.start;
      if (this.#kept > 0) progress.read("check", checkedBytes);
    }
    const [first] = missing;
    if (first !== undefined && manifest.state === "finished" && isForeign(manifest.emit)) {
      const detail = `${first[1].file} is damaged and cannot be recreated, because the job's secret is deleted when it finishes`;
      throw new DecernError("JOB_CHANGED", { detail });
    }
    return missing;
  }

  async #makeAll(
    members: readonly CrewMember[],
    missing: readonly (readonly [number, ManifestPart])[],
    manifest: Manifest,
    file: ManifestFile,
    input: InputFile,
    progress: JobProgress,
  ): Promise<void> {
    const { options, format, lock } = this.#context;
    const job = partJobOf(manifest, options.input, options.output);
    const check = async (): Promise<void> => {
      await input.check();
      await lock.check();
    };
    // Each member makes several parts side by side.
    const lanes = Array.from({ length: format.lanes }, () => members).flat();
    try {
      await shareOut(lanes, missing, async (member, [index, part]) => {
        const done = await member
          .make(job, part, (counts) => progress.block(part, counts))
          .catch(async (error: unknown) => {
            // A changed input or a folder taken by another process explains any other error.
            await check();
            throw error;
          });
        await check();
        file.note(index, done);
        this.#made += 1;
        this.faults += done.counts.ERROR;
        progress.done(part, done.counts);
        await file.writeSoon();
      });
    } finally {
      // Completed parts stay, even if another part has failed.
      await file.write();
    }
  }

  /** Incomplete files only take space, which a full disk lacks. */
  async #tidyUp(): Promise<void> {
    const { lock, options } = this.#context;
    try {
      await lock.check();
      await deleteTemporaryFiles(options.output);
    } catch {
      // The next run does it.
    }
  }

  #summary(state: BulkFileSummary["state"]): BulkFileSummary {
    const counts = this.#progress?.counts ?? noCounts;
    const { now = new Date() } = this.#context.options;
    const total = this.#progress === undefined ? 0 : (this.#manifest?.parts.length ?? 0);
    return {
      state,
      items: itemsOf(counts),
      counts,
      parts: { total, kept: this.#kept, made: this.#made },
      now: this.#manifest === undefined ? now : new Date(this.#manifest.now),
    };
  }
}

function isForeign(emit: string): boolean {
  return fileEmits.every((own) => own !== emit);
}

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
