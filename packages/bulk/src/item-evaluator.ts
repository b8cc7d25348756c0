import { isUtf8 } from "node:buffer";
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

/** How inputs are evaluated, and how their results are written. */
export interface ItemEvaluatorOptions {
  readonly decision: Decision;
  /** For this decision and those that it uses. @default their own */
  readonly profiles: Catalogue["profiles"];
  readonly emit: Emit;
  /** Name of the member that says which input failed. A `line` is a number. */
  readonly place: "line" | "position";
  /** Told of every fault of the decision. */
  readonly onFault: (error: DecernError, item: BulkItem) => void;
}

/** Evaluates inputs one by one. It never throws: what fails is the result of that input, and names its position. */
export class ItemEvaluator {
  readonly #options: ItemEvaluatorOptions;

  constructor(options: ItemEvaluatorOptions) {
    this.#options = options;
  }

  /** @param epochMs - the instant of the evaluation, in milliseconds since the Unix epoch */
  evaluate(item: BulkItem, epochMs: number): BulkResult {
    let input: unknown;
    try {
      input = parseJsonBody(textOf(item));
    } catch (thrown) {
      return this.#failed(item, "INVALID_JSON", errorBody(toErrorReply(thrown)));
    }
    const { decision, profiles } = this.#options;
    // A rule that draws lots with the request's id does it the same way every time.
    const requestId = item.position;
    const { result, error } = reevaluate(decision, { input, profiles, epochMs, requestId });
    if (error !== undefined) return this.#fault(item, error);
    try {
      const text =
        this.#options.emit === "compact" ? compactText(result) : decision[program].stringify(result);
      if (result.status === "OK" || result.status === "NO_MATCH")
        return { position: item.position, status: result.status, text };
      return this.#failed(item, "INVALID_INPUT", text);
    } catch (cause) {
      const detail = `decision "${decision.id}" returned what cannot be written as JSON`;
      return this.#fault(item, new DecernError("EVALUATION_FAILED", { detail, cause }));
    }
  }

  #fault(item: BulkItem, error: DecernError): BulkResult {
    this.#options.onFault(error, item);
    return this.#failed(item, "ERROR", errorBody(toErrorReply(error)));
  }

  /** @param text - a JSON object with at least one member */
  #failed({ position }: BulkItem, status: BulkStatus, text: string): BulkResult {
    const { place } = this.#options;
    const value = place === "line" ? position : JSON.stringify(position);
    return { position, status, text: `{"${place}":${value},${text.slice(1)}` };
  }
}

/** @throws DecernError `INVALID_JSON` where the bytes are not UTF-8 */
function textOf({ bytes }: BulkItem): string {
  if (!isUtf8(bytes)) throw new DecernError("INVALID_JSON");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
