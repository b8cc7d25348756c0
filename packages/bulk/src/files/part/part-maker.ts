import { join } from "node:path";
import type { BulkStatus, DecernError } from "@decern/core";
import { type Catalogue, createCatalogue } from "@decern/core/tools";
import { fileEmits } from "../../emit.js";
import type { BulkWorkHere } from "../bulk-file-options.js";
import type { PartReader } from "../formats/input-format.js";
import { formatNamed } from "../formats/input-formats.js";
import type { ManifestPart, PartResult } from "../manifest/manifest.js";
import type { Revision } from "../revision/revision.js";
import { revisionOf } from "../revision/revision-of.js";
import type { LineEvaluator } from "./line-evaluator.js";
import { lineEvaluatorFor } from "./line-evaluators.js";
import { PartFile } from "./part-file.js";
import type { PartJob } from "./part-job.js";
import { ResultSink } from "./result-sink.js";

/** Receives events while parts are written. */
export interface PartWatcher {
  readonly onFault: (error: DecernError, line: string) => void;
  /** Called after each block, with the counts of the part so far. It throws once the job is stopped. */
  readonly onBlock: (counts: Readonly<Record<BulkStatus, number>>) => void;
}

/** Evaluates parts of a file, several of them side by side. */
export class PartMaker {
  readonly revision: Revision;
  readonly #work: BulkWorkHere;
  readonly #catalogue: Catalogue;
  /** Those that read no part at the moment. */
  readonly #readers: PartReader[] = [];

  /** @throws DecernError `INVALID_OPTIONS` for profiles that break their schema */
  constructor(work: BulkWorkHere) {
    this.#work = work;
    this.#catalogue = createCatalogue([work.decision], work.profiles);
    this.revision = revisionOf(this.#catalogue.bind(work.decision), this.#catalogue.profiles);
  }

  /** Names of the available output forms. */
  get emits(): readonly string[] {
    return [...fileEmits, ...(this.#work.encoders ?? []).map(({ name }) => name)];
  }

  async make(job: PartJob, part: ManifestPart, watcher: PartWatcher): Promise<PartResult> {
    const { input, output, format, maxLine, details } = job;
    const { decision } = this.#work;
    const opened = { path: input, maxLine, details, decision };
    const reader = this.#readers.pop() ?? (await formatNamed(format).open(opened));
    try {
      const file = await PartFile.create(join(output, part.file));
      return await this.#write(job, part, reader, file, watcher);
    } finally {
      this.#readers.push(reader);
    }
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.splice(0)) await reader.close();
  }

  async #write(
    job: PartJob,
    part: ManifestPart,
    reader: PartReader,
    file: PartFile,
    watcher: PartWatcher,
  ): Promise<PartResult> {
    try {
      const evaluator = this.#evaluator(job, part, watcher);
      const sink = new ResultSink({ evaluator, file, onFlush: watcher.onBlock });
      await reader.read(part, sink);
      await sink.flush();
      if (sink.records !== part.records) throw new Error(`${job.input} has changed while it was read`);
      return { ...(await file.finish()), counts: sink.counts };
    } catch (error) {
      await file.abandon();
      throw error;
    }
  }

  #evaluator(job: PartJob, part: ManifestPart, { onFault }: PartWatcher): LineEvaluator {
    const { decision, encoders = [] } = this.#work;
    const { profiles } = this.#catalogue;
    return lineEvaluatorFor({
      decision: this.#catalogue.bind(decision),
      profiles,
      encoders,
      job,
      part,
      onFault,
    });
  }
}
