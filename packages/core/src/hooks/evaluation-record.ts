import { copyError } from "../copies/copy-error.js";
import { copyResult } from "../copies/copy-result.js";
import type { Decision } from "../definition/decision.js";
import type { DecernError } from "../errors.js";
import { isRefusal } from "../evaluation/fault.js";
import type { Result } from "../program/result.js";
import { createContext, type Told } from "./hook-context.js";
import type { HookContext } from "./hooks.js";
import type { EvaluationEvent } from "./observer.js";

/** An evaluation that has ended. */
interface Ended extends Told {
  readonly decision: Decision;
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
}

/** What one observer is told of an evaluation. What costs time is copied when the observer asks for it. */
export class EvaluationRecord implements EvaluationEvent {
  readonly decision: Decision;
  readonly status: EvaluationEvent["status"];
  readonly durationSeconds: number;
  readonly matchedRule: string | undefined;
  readonly #ended: Ended;
  #result: Result | undefined;
  #error: DecernError | undefined;
  #context: HookContext | undefined;

  constructor(ended: Ended, durationSeconds: number) {
    const { result, error } = ended;
    this.decision = ended.decision;
    this.status = result === undefined ? statusOf(error) : result.status;
    this.durationSeconds = durationSeconds;
    this.matchedRule = result?.status === "OK" ? result.meta.matchedRule : undefined;
    this.#ended = ended;
  }

  get result(): Result | undefined {
    const { result } = this.#ended;
    if (result !== undefined) this.#result ??= copyResult(result);
    return this.#result;
  }

  get error(): unknown {
    const { error } = this.#ended;
    if (error !== undefined) this.#error ??= copyError(error);
    return this.#error;
  }

  get context(): HookContext {
    this.#context ??= createContext(this.#ended);
    return this.#context;
  }
}

function statusOf(error: DecernError | undefined): "REFUSED" | "ERROR" {
  return error !== undefined && isRefusal(error) ? "REFUSED" : "ERROR";
}
