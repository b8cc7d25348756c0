import { isUtf8 } from "node:buffer";
import { DecernError, type Decision } from "@decern/core";
import { errorBody, toErrorReply } from "@decern/core/host";
import { isJsonObject, pointerTokens } from "@decern/core/schema";
import {
  compactText,
  evaluateCall,
  type Generation,
  type OptionKind,
  parseJsonBody,
  program,
} from "@decern/core/tools";
import type { BulkItem, BulkResult, BulkStatus } from "./bulk-source.js";

/**
 * How much of a result is written.
 *
 * - `compact`: status, output and the id of the rule, `{"status":"OK","data":…,"matchedRule":"…"}`
 * - `envelope`: what a service replies
 */
export type Emit = "compact" | "envelope";

/** Ways to write results that files have, too, apart from encoders: `csv` is a row for each input. */
export const fileEmits = ["compact", "csv", "envelope"] as const;

export const emits = ["compact", "envelope"] as const satisfies readonly Emit[];

/** @returns `undefined` where the bytes are not UTF-8 */
export function utf8Text(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** The error of a decision whose result has no JSON form, such as one with a cycle. */
export function unwritable({ id }: Decision, cause: unknown): DecernError {
  const detail = `decision "${id}" returned what cannot be written as JSON`;
  return new DecernError("EVALUATION_FAILED", { detail, cause });
}

/** A JSON Pointer (RFC 6901) to something in the input. */
export const keyKind: OptionKind = (value, path) =>
  typeof value === "string" && /^(\/([^~/]|~[01])*)+$/.test(value)
    ? []
    : [{ path, message: "must be a JSON Pointer into the input, such as /applicant/id" }];

/** Reads the key of an input: `undefined` where it has none. It never throws. */
export function keyReader(pointer: string): (input: unknown) => unknown {
  const tokens = pointerTokens(pointer);
  return (input) => {
    let value = input;
    for (const token of tokens) {
      if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
      else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
    }
    return value;
  };
}

/** How inputs are evaluated, and how their results are written. */
export interface ItemEvaluatorOptions {
  readonly decision: Decision;
  /** For this decision and those that it uses. @default their own */
  readonly profiles: Generation["profiles"];
  readonly emit: Emit;
  /** Name of the member that says which input failed. A `line` is a number. */
  readonly place: "line" | "position";
  /** JSON Pointer to the key of an input, which every result then has. @default none */
  readonly key?: string | undefined;
  /** Called with every error of the decision. */
  readonly onFault: (error: DecernError, position: string) => void;
}

/** Evaluates inputs one by one. It never throws: what fails is the result of that input, and names its position. */
export class ItemEvaluator {
  readonly #options: ItemEvaluatorOptions;
  readonly #keyOf: ((input: unknown) => unknown) | undefined;
  /** Whether results name their place. Replies of a service do not, unless a key is asked for. */
  readonly #isPlaced: boolean;

  constructor(options: ItemEvaluatorOptions) {
    const { place, emit, key } = options;
    this.#options = options;
    this.#keyOf = key === undefined ? undefined : keyReader(key);
    this.#isPlaced = key !== undefined || (place === "line" && emit === "compact");
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
    // Read before the evaluation: a rule may write to its input.
    const key = this.#keyMember(input);
    // A rule that draws lots with the request's id does it the same way every time.
    const requestId = position;
    const { result, error } = evaluateCall({ decision, input, profiles, epochMs, requestId });
    if (error !== undefined) return this.#fault(position, error, key);
    try {
      const text =
        this.#options.emit === "compact" ? compactText(result) : decision[program].stringify(result);
      if (result.status === "OK" || result.status === "NO_MATCH")
        return {
          position,
          status: result.status,
          text: this.#isPlaced ? this.#placed(position, key, text) : text,
        };
      return this.#failed(position, "INVALID_INPUT", text, key);
    } catch (cause) {
      return this.#fault(position, unwritable(decision, cause), key);
    }
  }

  /** The result of what cannot be an input. */
  refuse(position: string, thrown: unknown): BulkResult {
    return this.#failed(position, "INVALID_JSON", errorBody(toErrorReply(thrown)));
  }

  #fault(position: string, error: DecernError, key: string): BulkResult {
    this.#options.onFault(error, position);
    return this.#failed(position, "ERROR", errorBody(toErrorReply(error)), key);
  }

  #failed(position: string, status: BulkStatus, text: string, key = ""): BulkResult {
    return { position, status, text: this.#placed(position, key, text) };
  }

  /** @param text - a JSON object with at least one member */
  #placed(position: string, key: string, text: string): string {
    const { place } = this.#options;
    const value = place === "line" ? position : JSON.stringify(position);
    return `{"${place}":${value},${key}${text.slice(1)}`;
  }

  #keyMember(input: unknown): string {
    const value = this.#keyOf?.(input);
    return value === undefined ? "" : `"key":${JSON.stringify(value)},`;
  }
}
