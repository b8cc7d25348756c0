import { isUtf8 } from "node:buffer";
import { DecernError, type Decision, type Result, type UsedEvaluation } from "@decern/core";
import { errorBody, parseJsonBody, toErrorReply } from "@decern/core/host";
import { kinds } from "@decern/core/options";
import { isJsonObject, pointerTokens } from "@decern/core/schema";
import { compactText, type createGeneration, evaluateCall, program } from "@decern/core/tools";
import type { BulkItem, BulkStatus } from "./bulk-source.js";

/**
 * How much of a result is written.
 *
 * - `compact`: status, output and the id of the rule, `{"status":"OK","data":…,"matchedRule":"…"}`
 * - `envelope`: what a service replies
 */
export type Emit = "compact" | "envelope";

/** Forms that files also have, apart from encoders: `csv` is a row per input. */
export const fileEmits = ["compact", "csv", "envelope"] as const;

export const emits = ["compact", "envelope"] as const satisfies readonly Emit[];

export function utf8Text(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** A JSON Pointer (RFC 6901) to something in the input. */
export const keyKind = kinds.matching(
  /^(\/([^~/]|~[01])*)+$/,
  "must be a JSON Pointer into the input, such as /applicant/id",
);

/** Never throws. `undefined` if the input has no key. */
function keyReader(pointer: string | undefined): (input: unknown) => unknown {
  if (pointer === undefined) return () => undefined;
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

interface ItemAnswer {
  readonly position: string;
  readonly status: BulkStatus;
  readonly decision: Decision;
  readonly input: unknown;
  /** The key of the input, if one is asked for. */
  readonly key: unknown;
  readonly profile: unknown;
  readonly used: readonly UsedEvaluation[];
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
}

/** A way to write results, each as JSON text or CSV on a line of its own. */
export interface ItemForm<Refusal extends string | undefined> {
  /** @throws if the result has no JSON form: an error of the decision, whatever is written of it */
  textOf(decision: Decision, result: Result): string;
  /** @param text - as {@link textOf} returned it; `undefined` for an error */
  write(answer: ItemAnswer, text: string | undefined): string;
  /** Writes the error for unreadable input. @returns `undefined` to leave it out */
  refuse(position: string, error: DecernError): Refusal;
}

/** @param place - name of the member that says which input failed. A `line` is a number */
export function jsonForm(emit: Emit, place: "line" | "position", hasKey: boolean): ItemForm<string> {
  // Responses of a service do not name their place, unless a key is asked for.
  const namesPlace = hasKey || (place === "line" && emit === "compact");
  /** @param text - a JSON object with at least one member */
  const placed = (position: string, text: string, key?: unknown): string => {
    const member = key === undefined ? "" : `"key":${JSON.stringify(key)},`;
    return `{"${place}":${place === "line" ? position : JSON.stringify(position)},${member}${text.slice(1)}`;
  };
  return {
    textOf: (decision, result) =>
      emit === "compact" ? compactText(result) : decision[program].stringify(result),
    write: ({ position, status, key, error }, text = errorBody(toErrorReply(error))) =>
      namesPlace || (status !== "OK" && status !== "NO_MATCH") ? placed(position, text, key) : text,
    refuse: (position, error) => placed(position, errorBody(toErrorReply(error))),
  };
}

interface ItemResult<Refusal extends string | undefined> {
  readonly position: string;
  readonly status: BulkStatus;
  readonly text: string | Refusal;
}

interface ItemEvaluatorOptions<Refusal extends string | undefined> {
  readonly decision: Decision;
  /** For this decision and those that it uses. @default their own */
  readonly profiles: ReturnType<typeof createGeneration>["profiles"];
  readonly form: ItemForm<Refusal>;
  /** JSON Pointer to the key of an input, which every result then has. @default none */
  readonly key?: string | undefined;
  /** Receives every error of the decision. */
  readonly onFault: (error: DecernError, position: string) => void;
}

/** Evaluates inputs one by one. It never throws: an error is the result of that input, and names its position. */
export class ItemEvaluator<Refusal extends string | undefined = string> {
  readonly #options: ItemEvaluatorOptions<Refusal>;
  readonly #keyOf: (input: unknown) => unknown;

  constructor(options: ItemEvaluatorOptions<Refusal>) {
    this.#options = options;
    this.#keyOf = keyReader(options.key);
  }

  /** @param epochMs - the instant of the evaluation, in milliseconds since the Unix epoch */
  evaluate({ position, bytes }: BulkItem, epochMs: number): ItemResult<Refusal> {
    const text = utf8Text(bytes);
    return text === undefined
      ? this.refuse(position, new DecernError("INVALID_JSON"))
      : this.evaluateText(position, text, epochMs);
  }

  /** @param text - JSON text */
  evaluateText(position: string, text: string, epochMs: number): ItemResult<Refusal> {
    let input: unknown;
    try {
      input = parseJsonBody(text);
    } catch (thrown) {
      return this.refuse(position, thrown instanceof DecernError ? thrown : new DecernError("INVALID_JSON"));
    }
    return this.evaluateInput(position, input, epochMs);
  }

  evaluateInput(position: string, input: unknown, epochMs: number): ItemResult<Refusal> {
    const { decision, profiles, form, onFault } = this.#options;
    // Read before the evaluation: a rule may write to its input.
    const key = this.#keyOf(input);
    // A rule that uses the request's id as a random seed gives the same result each time.
    const call = { decision, input, profiles, epochMs, requestId: position };
    const { result, error: thrown, profile, used } = evaluateCall(call);
    let error = thrown;
    let text: string | undefined;
    if (error === undefined && result !== undefined) {
      try {
        text = form.textOf(decision, result);
      } catch (cause) {
        const detail = `decision "${decision.id}" returned what cannot be written as JSON`;
        error = new DecernError("EVALUATION_FAILED", { detail, cause });
      }
    }
    if (error !== undefined) onFault(error, position);
    const told = error === undefined ? result : undefined;
    const status = statusOf(told);
    const answer = { position, status, decision, input, key, profile, used, result: told, error };
    return { position, status, text: form.write(answer, text) };
  }

  refuse(position: string, error: DecernError): ItemResult<Refusal> {
    return { position, status: "INVALID_JSON", text: this.#options.form.refuse(position, error) };
  }
}

function statusOf(result: Result | undefined): BulkStatus {
  if (result === undefined) return "ERROR";
  return result.status === "OK" || result.status === "NO_MATCH" ? result.status : "INVALID_INPUT";
}
