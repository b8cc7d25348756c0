import { type BulkItem, type BulkResult, type BulkStatus, DecernError, type Decision } from "@decern/core";
import {
  type Catalogue,
  compactText,
  errorBody,
  parseJsonBody,
  program,
  reevaluate,
  toErrorReply,
} from "@decern/core/host";
import type { Emit } from "./emit.js";
import { utf8Text } from "./utf8-text.js";

/** How inputs are evaluated, and how their results are written. */
export interface ItemEvaluatorOptions {
  readonly decision: Decision;
  /** For this decision and those that it uses. @default their own */
  readonly profiles: Catalogue["profiles"];
  readonly emit: Emit;
  /** Name of the member that says which input failed. A `line` is a number. */
  readonly place: "line" | "position";
  /** Told of every fault of the decision. */
  readonly onFault: (error: DecernError, position: string) => void;
}

/** Evaluates inputs one by one. It never throws: what fails is the result of that input, and names its position. */
export class ItemEvaluator {
  readonly #options: ItemEvaluatorOptions;

  constructor(options: ItemEvaluatorOptions) {
    this.#options = options;
  }

  /** @param epochMs - the instant of the evaluation, in milliseconds since the Unix epoch */
  evaluate({ position, bytes }: BulkItem, epochMs: number): BulkResult {
    const text = utf8Text(bytes);
    return text === undefined
      ? this.refuse(position, new DecernError("INVALID_JSON"))
      : this.evaluateText(position, text, epochMs);
  }

  /** @param text - JSON text */
  evaluateText(position: string, text: string, epochMs: number): BulkResult {
    let input: unknown;
    try {
      input = parseJsonBody(text);
    } catch (thrown) {
      return this.refuse(position, thrown);
    }
    return this.evaluateInput(position, input, epochMs);
  }

  evaluateInput(position: string, input: unknown, epochMs: number): BulkResult {
    const { decision, profiles } = this.#options;
    // A rule that draws lots with the request's id does it the same way every time.
    const requestId = position;
    const { result, error } = reevaluate(decision, { input, profiles, epochMs, requestId });
    if (error !== undefined) return this.#fault(position, error);
    try {
      const text =
        this.#options.emit === "compact" ? compactText(result) : decision[program].stringify(result);
      if (result.status === "OK" || result.status === "NO_MATCH")
        return { position, status: result.status, text };
      return this.#failed(position, "INVALID_INPUT", text);
    } catch (cause) {
      const detail = `decision "${decision.id}" returned what cannot be written as JSON`;
      return this.#fault(position, new DecernError("EVALUATION_FAILED", { detail, cause }));
    }
  }

  /** The result of what cannot be an input. */
  refuse(position: string, thrown: unknown): BulkResult {
    return this.#failed(position, "INVALID_JSON", errorBody(toErrorReply(thrown)));
  }

  #fault(position: string, error: DecernError): BulkResult {
    this.#options.onFault(error, position);
    return this.#failed(position, "ERROR", errorBody(toErrorReply(error)));
  }

  /** @param text - a JSON object with at least one member */
  #failed(position: string, status: BulkStatus, text: string): BulkResult {
    const { place } = this.#options;
    const value = place === "line" ? position : JSON.stringify(position);
    return { position, status, text: `{"${place}":${value},${text.slice(1)}` };
  }
}
