import { hash } from "node:crypto";
import { join } from "node:path";
import { DecernError, type Decision, extractDecisionSchema } from "@decern/core";
import {
  canonicalForm,
  createGeneration,
  defaultProfile,
  type Generation,
  hasForbiddenKey,
  program,
} from "@decern/core/tools";
import type { InputSink, PartReader } from "../formats/input-format.js";
import { formatNamed } from "../formats/input-formats.js";
import type { BulkStatus } from "../items/bulk-source.js";
import { noCounts, type StatusCounts } from "../items/counts-and-faults.js";
import { fileEmits } from "../items/item-evaluator.js";
import type { ManifestPart, PartResult, Revision } from "../manifest/manifest.js";
import { type LineEvaluator, type LineResult, lineEvaluatorFor } from "./line-evaluators.js";
import { PartFile, type PartJob } from "./part-file.js";
import type { BulkWorkHere } from "./work.js";

/** @param decision - with its profile */
function revisionOf(decision: Decision, profiles: Generation["profiles"]): Revision {
  const { id, version } = decision;
  return {
    decision: { id, version },
    profileHash: sha256Of(defaultProfile(decision)),
    fingerprint: sha256Of(printOf(decision, profiles)),
  };
}

/** All that can be seen of a decision and of what it uses. What its functions close over cannot. */
function printOf(decision: Decision, profiles: Generation["profiles"]): unknown {
  const { id, version, ruleIds, uses } = decision;
  return {
    id,
    version,
    ruleIds,
    rules: decision[program].ruleTexts,
    schemas: schemasOf(decision),
    uses: uses.map((used) => ({
      ...Object(printOf(used, profiles)),
      profile: profiles?.profileOf(used) ?? defaultProfile(used),
    })),
  };
}

function schemasOf(decision: Decision): unknown {
  try {
    return extractDecisionSchema(decision);
  } catch {
    // A schema that has no JSON Schema still decides.
    return null;
  }
}

function sha256Of(value: unknown): string {
  return `sha256:${hash("sha256", canonicalForm(value) ?? "null")}`;
}

/** Maximum characters to buffer before encoding them as bytes. */
const textLength = 64 * 1024;

interface ResultSinkOptions {
  readonly evaluator: LineEvaluator;
  readonly file: PartFile;
  /** Called after each block. It throws once the job is stopped. */
  readonly onFlush: (counts: Readonly<Record<BulkStatus, number>>) => void;
}

/** Evaluates the inputs of one part, and writes their results. */
class ResultSink implements InputSink {
  readonly counts: StatusCounts = { ...noCounts };
  readonly #options: ResultSinkOptions;
  #records = 0;
  #text = "";
  #blocks: Buffer[] = [];

  constructor(options: ResultSinkOptions) {
    this.#options = options;
  }

  /** How many inputs it was given. */
  get records(): number {
    return this.#records;
  }

  json(line: number, text: string): void {
    this.#add(this.#options.evaluator.json(line, text));
  }

  value(line: number, input: unknown, isSuspicious: boolean): void {
    if (isSuspicious && hasForbiddenKey(input)) this.refuse(line, new DecernError("FORBIDDEN_KEY"));
    else this.#add(this.#options.evaluator.value(line, input));
  }

  refuse(line: number, error: DecernError): void {
    this.#add(this.#options.evaluator.refuse(line, error));
  }

  async flush(): Promise<void> {
    this.#encode();
    const blocks = this.#blocks;
    this.#blocks = [];
    for (const block of blocks) await this.#options.file.write(block);
    this.#options.onFlush(this.counts);
  }

  #add({ status, text }: LineResult): void {
    this.counts[status] += 1;
    this.#records += 1;
    if (text === undefined) return;
    this.#text += `${text}\n`;
    if (this.#text.length > textLength) this.#encode();
  }

  #encode(): void {
    if (this.#text.length > 0) this.#blocks.push(Buffer.from(this.#text));
    this.#text = "";
  }
}

/** Receives events while parts are written. */
interface PartWatcher {
  readonly onFault: (error: DecernError, line: string) => void;
  /** Called after each block, with the counts of the part so far. It throws once the job is stopped. */
  readonly onBlock: (counts: Readonly<Record<BulkStatus, number>>) => void;
}

/** Evaluates parts of a file, several of them side by side. */
export class PartMaker {
  readonly revision: Revision;
  readonly #work: BulkWorkHere;
  readonly #catalogue: Generation;
  /** Those that read no part at the moment. */
  readonly #readers: PartReader[] = [];

  /** @throws DecernError `INVALID_OPTIONS` for profiles that break their schema */
  constructor(work: BulkWorkHere) {
    this.#work = work;
    this.#catalogue = createGeneration([work.decision], work.profiles);
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
