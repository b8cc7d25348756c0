import { DecernError, type Decision, type Result } from "@decern/core";
import { errorBody, toErrorReply } from "@decern/core/host";
import { evaluateCall, type Generation, parseJsonBody, program } from "@decern/core/tools";
import type { BulkStatus } from "../items/bulk-source.js";
import { type Emit, ItemEvaluator, unwritable } from "../items/item-evaluator.js";
import type { ManifestPart } from "../manifest/manifest.js";
import { type BulkAnswer, type BulkEncoder, csvEncoder, type PartEncoder } from "./encoder.js";
import { type PartJob, partName } from "./part-file.js";

/** Evaluates the inputs of one part. It never throws: a failure becomes the result of its line. */
export interface LineEvaluator {
  /** @param text - JSON text */
  json(line: number, text: string): LineResult;
  value(line: number, input: unknown): LineResult;
  refuse(line: number, error: DecernError): LineResult;
}

export interface LineResult {
  readonly status: BulkStatus;
  /** `undefined` where the line has no output. */
  readonly text: string | undefined;
}

interface LineEvaluation {
  readonly decision: Decision;
  readonly profiles: Generation["profiles"];
  readonly encoders: readonly BulkEncoder[];
  readonly job: PartJob;
  readonly part: ManifestPart;
  readonly onFault: (error: DecernError, line: string) => void;
}

/** Creates the evaluator of one part's lines, which writes results in the job's form. */
export function lineEvaluatorFor(evaluation: LineEvaluation): LineEvaluator {
  const { decision, encoders, job, part } = evaluation;
  const { emit, key, epochMs, build, secret } = job;
  if (emit === "compact" || emit === "envelope") return new EmittingEvaluator(evaluation, emit);
  if (emit === "csv") {
    // The files follow each other: together, they are one table.
    const hasHeader = part.file === partName(0, emit);
    return new EncodingEvaluator(evaluation, csvEncoder({ decision, key, hasHeader }));
  }
  const encoder = encoders.find(({ name }) => name === emit);
  if (encoder === undefined) throw new TypeError(`there is no encoder ${emit}`);
  const { firstLine } = part;
  return new EncodingEvaluator(evaluation, encoder.encodePart({ firstLine, epochMs, build, secret }));
}

class EmittingEvaluator implements LineEvaluator {
  readonly #items: ItemEvaluator;
  readonly #epochMs: number;

  constructor({ decision, profiles, job, onFault }: LineEvaluation, emit: Emit) {
    this.#items = new ItemEvaluator({ decision, profiles, emit, place: "line", key: job.key, onFault });
    this.#epochMs = job.epochMs;
  }

  json(line: number, text: string): LineResult {
    return this.#items.evaluateText(String(line), text, this.#epochMs);
  }

  value(line: number, input: unknown): LineResult {
    return this.#items.evaluateInput(String(line), input, this.#epochMs);
  }

  refuse(line: number, error: DecernError): LineResult {
    return this.#items.refuse(String(line), error);
  }
}

class EncodingEvaluator implements LineEvaluator {
  readonly #evaluation: LineEvaluation;
  readonly #encoder: PartEncoder;

  constructor(evaluation: LineEvaluation, encoder: PartEncoder) {
    this.#evaluation = evaluation;
    this.#encoder = encoder;
  }

  json(line: number, text: string): LineResult {
    let input: unknown;
    try {
      input = parseJsonBody(text);
    } catch (thrown) {
      return this.#refusal(line, thrown);
    }
    return this.value(line, input);
  }

  value(line: number, input: unknown): LineResult {
    const { decision, profiles, job, onFault } = this.#evaluation;
    const { epochMs } = job;
    const answer = evaluateCall({ decision, input, profiles, epochMs, requestId: String(line) });
    const { profile, used } = answer;
    const error = answer.error ?? writingFault(decision, answer.result);
    const result = error === undefined ? answer.result : undefined;
    if (error !== undefined) onFault(error, String(line));
    const status = statusOf({ result, error });
    return {
      status,
      text: this.#encoder.encode({ line, status, decision, input, profile, used, result, error }),
    };
  }

  refuse(line: number, error: DecernError): LineResult {
    return this.#refusal(line, error);
  }

  #refusal(line: number, thrown: unknown): LineResult {
    const error = thrown instanceof DecernError ? thrown : new DecernError("INVALID_JSON");
    const text =
      this.#encoder.refuse === undefined
        ? `{"line":${line},${errorBody(toErrorReply(error)).slice(1)}`
        : this.#encoder.refuse(line, error);
    return { status: "INVALID_JSON", text };
  }
}

/** What a service could not evaluate is an error here too, whatever the encoder leaves out. */
function writingFault(decision: Decision, result: Result): DecernError | undefined {
  try {
    decision[program].stringify(result);
    return undefined;
  } catch (cause) {
    return unwritable(decision, cause);
  }
}

function statusOf({ result }: Pick<BulkAnswer, "result" | "error">): BulkAnswer["status"] {
  if (result === undefined) return "ERROR";
  return result.status === "OK" || result.status === "NO_MATCH" ? result.status : "INVALID_INPUT";
}
