import { type BulkStatus, DecernError } from "@decern/core";
import { hasForbiddenKey } from "@decern/core/tools";
import { noCounts, type StatusCounts } from "../../status-counts.js";
import type { InputSink } from "../formats/input-format.js";
import type { LineEvaluator, LineResult } from "./line-evaluator.js";
import type { PartFile } from "./part-file.js";

/** Maximum characters to buffer before encoding them as bytes. */
const textLength = 64 * 1024;

export interface ResultSinkOptions {
  readonly evaluator: LineEvaluator;
  readonly file: PartFile;
  /** Called after each block. It throws once the job is stopped. */
  readonly onFlush: (counts: Readonly<Record<BulkStatus, number>>) => void;
}

/** Evaluates the inputs of one part, and writes their results. */
export class ResultSink implements InputSink {
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
