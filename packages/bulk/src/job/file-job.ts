import { DecernError, type Problem } from "@decern/core";
import type { Crew, CrewMember } from "../crew/crew.js";
import type { InputFormat } from "../formats/input-format.js";
import type { BulkStatus } from "../items/bulk-source.js";
import { itemsOf, noCounts } from "../items/counts-and-faults.js";
import { fileEmits } from "../items/item-evaluator.js";
import type { Manifest, ManifestPart } from "../manifest/manifest.js";
import { ManifestFile } from "../manifest/manifest-file.js";
import type { BulkFileOptions, BulkFileSummary } from "./bulk-file-options.js";
import { InputFile } from "./input-file.js";
import { deleteTemporaryFiles, isIntact, type JobLock, strangerIn } from "./job-folder.js";
import {
  firstManifest,
  type JobNow,
  partBytesOf,
  partJobOf,
  refuseChanges,
  refuseOtherInput,
} from "./job-plan.js";
import { JobProgress, PartQueue } from "./job-progress.js";

export interface FileJobContext {
  readonly options: BulkFileOptions;
  readonly format: InputFormat;
  readonly openCrew: () => Promise<Crew>;
  readonly lock: JobLock;
  readonly signal: AbortSignal;
}

/** One run of a job, which begins it or continues it. */
export class FileJob {
  readonly #context: FileJobContext;
  #manifest: Manifest | undefined;
  #progress: JobProgress | undefined;
  #total = 0;
  #kept = 0;
  #made = 0;

  constructor(context: FileJobContext) {
    this.#context = context;
  }

  /** How many errors the parts have that this run has made. */
  faults = 0;

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
    else await refuseOthersFiles(output);
    const input = await InputFile.find(options.input);
    // A different size shows before everything has been read.
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
    this.#total = manifest.parts.length;
    await deleteTemporaryFiles(output);
    const file = new ManifestFile(output, manifest);
    const missing = await this.#missing(manifest, file, progress);
    if (former?.state === "finished" && missing.length === 0) return "unchanged";
    const members = await crew.members(missing.length);
    await file.begin();
    await this.#makeAll(members, missing, file, input, progress);
    await file.finish();
    progress.end();
    return "finished";
  }

  #jobNow(crew: Crew): JobNow {
    const { options, format } = this.#context;
    const { emit = "compact", key, now, partBytes, maxLine, build } = options;
    if (!crew.emits.includes(emit))
      throw invalid({ path: "/emit", message: `must be one of ${crew.emits.join(", ")}` });
    if (key !== undefined && isForeign(emit))
      throw invalid({ path: "/key", message: `cannot be used with the encoder ${emit}` });
    const revision = build === undefined ? crew.revision : { ...crew.revision, build };
    return { format: format.name, emit, key, revision, now: now?.toISOString(), partBytes, maxLine };
  }

  /** The parts that have to be made, after a look at those that were. */
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
    file: ManifestFile,
    input: InputFile,
    progress: JobProgress,
  ): Promise<void> {
    const { options, format, lock } = this.#context;
    if (this.#manifest === undefined) return;
    const job = partJobOf(this.#manifest, options.input, options.output);
    const queue = new PartQueue(missing);
    const check = async (): Promise<void> => {
      await input.check();
      await lock.check();
    };
    try {
      await queue.run(inLanes(members, format.lanes), async (member, [index, part]) => {
        const done = await member
          .make(job, part, (counts) => progress.block(part, counts))
          .catch(async (error: unknown) => {
            // An input that was cut, or a folder that was taken, explains whatever else failed.
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
      // What is done is done, also where another part has failed.
      await file.write();
    }
  }

  /** What was begun and not finished only takes room, which a full disk lacks. */
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
    const counts: Readonly<Record<BulkStatus, number>> = this.#progress?.counts ?? noCounts;
    const { now } = this.#context.options;
    return {
      state,
      items: itemsOf(counts),
      counts,
      parts: { total: this.#total, kept: this.#kept, made: this.#made },
      now: this.#manifest === undefined ? (now ?? new Date()) : new Date(this.#manifest.now),
    };
  }
}

/** Parts would lie among somebody's files, or in place of them. */
async function refuseOthersFiles(output: string): Promise<void> {
  const name = await strangerIn(output);
  if (name === undefined) return;
  const message = `has ${name}, but no manifest.json of a job: give a new or empty folder`;
  throw invalid({ path: "/output", message });
}

/** All of them, several times. */
function inLanes(members: readonly CrewMember[], lanes: number): readonly CrewMember[] {
  return Array.from({ length: lanes }, () => members).flat();
}

/** Whether somebody else's encoder writes the results. */
function isForeign(emit: string): boolean {
  return fileEmits.every((own) => own !== emit);
}

function invalid(problem: Problem): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "bulkFile", problems: [problem] });
}
