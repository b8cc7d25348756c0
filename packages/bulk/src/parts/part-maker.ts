import { hash } from "node:crypto";
import { join } from "node:path";
import { DecernError, type Decision, extractDecisionSchema } from "@decern/core";
import { hasForbiddenKey } from "@decern/core/host";
import { canonicalForm, createGeneration, program } from "@decern/core/tools";
import type { InputFormatName, InputSink, PartReader } from "../formats/input-format.js";
import { formatNamed } from "../formats/input-formats.js";
import type { BulkStatus } from "../items/bulk-source.js";
import { noCounts, type StatusCounts } from "../items/counts-and-faults.js";
import { fileEmits, ItemEvaluator, type ItemForm, jsonForm } from "../items/item-evaluator.js";
import { DurableFile } from "./durable-file.js";
import { csvForm, encodedForm } from "./encoder.js";
import type { ManifestPart, PartResult, Revision } from "./manifest.js";
import type { BulkWorkHere } from "./work.js";

export function partName(index: number, emit: string): string {
  return `part-${String(index).padStart(5, "0")}.${emit === "csv" ? "csv" : "ndjson"}`;
}

export interface PartJob {
  readonly input: string;
  readonly output: string;
  readonly format: InputFormatName;
  readonly details: unknown;
  readonly emit: string;
  readonly key: string | undefined;
  /** The instant of all evaluations, in milliseconds since the Unix epoch. */
  readonly epochMs: number;
  readonly build: string | undefined;
  readonly maxLine: number;
  readonly secret: Uint8Array;
}

/** @param decision - with its profile */
function revisionOf(decision: Decision, profiles: ReturnType<typeof createGeneration>["profiles"]): Revision {
  const { id, version } = decision;
  return {
    decision: { id, version },
    profileHash: sha256Of(decision[program].boundProfile),
    fingerprint: sha256Of(printOf(decision, profiles)),
  };
}

/** Everything visible of a decision and of those that it uses. What its functions close over is not. */
function printOf(decision: Decision, profiles: ReturnType<typeof createGeneration>["profiles"]): unknown {
  const { id, version, ruleIds, uses } = decision;
  return {
    id,
    version,
    ruleIds,
    rules: decision[program].ruleTexts,
    schemas: schemasOf(decision),
    uses: uses.map((used) => ({
      ...Object(printOf(used, profiles)),
      profile: profiles?.profileOf(used) ?? used[program].boundProfile,
    })),
  };
}

function schemasOf(decision: Decision): unknown {
  try {
    return extractDecisionSchema(decision);
  } catch {
    // A decision works without JSON Schema.
    return null;
  }
}

function sha256Of(value: unknown): string {
  return `sha256:${hash("sha256", canonicalForm(value) ?? "null")}`;
}

/** Maximum characters to buffer before encoding them as bytes. */
const textLength = 64 * 1024;

class ResultSink implements InputSink {
  readonly counts: StatusCounts = { ...noCounts };
  readonly #evaluator: ItemEvaluator<string | undefined>;
  readonly #epochMs: number;
  readonly #file: DurableFile;
  readonly #onBlock: PartWatcher["onBlock"];
  #records = 0;
  #text = "";
  #blocks: Buffer[] = [];

  constructor(
    evaluator: ItemEvaluator<string | undefined>,
    epochMs: number,
    file: DurableFile,
    onBlock: PartWatcher["onBlock"],
  ) {
    this.#evaluator = evaluator;
    this.#epochMs = epochMs;
    this.#file = file;
    this.#onBlock = onBlock;
  }

  get records(): number {
    return this.#records;
  }

  json(line: number, text: string): void {
    this.#add(this.#evaluator.evaluateText(String(line), text, this.#epochMs));
  }

  value(line: number, input: unknown, isSuspicious: boolean): void {
    if (isSuspicious && hasForbiddenKey(input)) this.refuse(line, new DecernError("FORBIDDEN_KEY"));
    else this.#add(this.#evaluator.evaluateInput(String(line), input, this.#epochMs));
  }

  refuse(line: number, error: DecernError): void {
    this.#add(this.#evaluator.refuse(String(line), error));
  }

  async flush(): Promise<void> {
    this.#encode();
    for (const block of this.#blocks.splice(0)) await this.#file.write(block);
    this.#onBlock(this.counts);
  }

  #add({ status, text }: { readonly status: BulkStatus; readonly text: string | undefined }): void {
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

interface PartWatcher {
  readonly onFault: (error: DecernError, line: string) => void;
  /** Called after each block with the counts of the part so far. It throws once the job is stopped. */
  readonly onBlock: (counts: Readonly<Record<BulkStatus, number>>) => void;
}

export class PartMaker {
  readonly revision: Revision;
  readonly #work: BulkWorkHere;
  readonly #catalogue: ReturnType<typeof createGeneration>;
  /** Readers that are free. */
  readonly #readers: PartReader[] = [];

  /** @throws DecernError `INVALID_OPTIONS` for profiles that break their schema */
  constructor(work: BulkWorkHere) {
    this.#work = work;
    this.#catalogue = createGeneration([work.decision], work.profiles);
    this.revision = revisionOf(this.#catalogue.bind(work.decision), this.#catalogue.profiles);
  }

  get emits(): readonly string[] {
    return [...fileEmits, ...(this.#work.encoders ?? []).map(({ name }) => name)];
  }

  async make(job: PartJob, part: ManifestPart, watcher: PartWatcher): Promise<PartResult> {
    const { input, output, format, maxLine, details } = job;
    const { decision } = this.#work;
    const opened = { path: input, maxLine, details, decision };
    const reader = this.#readers.pop() ?? (await formatNamed(format).open(opened));
    try {
      const file = await DurableFile.create(join(output, part.file));
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
    file: DurableFile,
    { onFault, onBlock }: PartWatcher,
  ): Promise<PartResult> {
    try {
      const { profiles } = this.#catalogue;
      const decision = this.#catalogue.bind(this.#work.decision);
      const form = this.#formOf(decision, job, part);
      const evaluator = new ItemEvaluator({ decision, profiles, form, key: job.key, onFault });
      const sink = new ResultSink(evaluator, job.epochMs, file, onBlock);
      await reader.read(part, sink);
      await sink.flush();
      if (sink.records !== part.records) throw new Error(`${job.input} has changed while it was read`);
      return { ...(await file.finish()), counts: sink.counts };
    } catch (error) {
      await file.abandon();
      throw error;
    }
  }

  #formOf(
    decision: Decision,
    { emit, key, epochMs, build, secret }: PartJob,
    { file, firstLine }: ManifestPart,
  ): ItemForm<string | undefined> {
    if (emit === "compact" || emit === "envelope") return jsonForm(emit, "line", key !== undefined);
    // The files form one table, so only the first has a header.
    if (emit === "csv") return csvForm(decision, key !== undefined, file === partName(0, emit));
    const encoder = this.#work.encoders?.find(({ name }) => name === emit);
    if (encoder === undefined) throw new TypeError(`there is no encoder ${emit}`);
    return encodedForm(encoder.encodePart({ firstLine, epochMs, build, secret }));
  }
}
