import { copyData } from "../base/copy.js";
import { copyError, type DecernError } from "../base/errors.js";
import { isRefusal } from "../base/faults.js";
import type { Decision, UsedEvaluation } from "../decision/decision.js";
import { copyResult, type Result } from "../decision/result.js";
import { noneUsed } from "../decision/scope.js";
import { createContext, type Told } from "./hook-context.js";
import type { EvaluationEvent, HookContext } from "./hooks.js";

/** An evaluation that has ended. */
interface Ended extends Told {
  readonly decision: Decision;
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
  readonly used: readonly UsedEvaluation[];
}

/** What an observer has read of a record. */
interface Copies {
  result: Result | undefined;
  error: DecernError | undefined;
  used: readonly UsedEvaluation[] | undefined;
  context: HookContext | undefined;
}

/** What one observer receives of an evaluation. What costs time is copied when the observer asks for it. */
export class EvaluationRecord implements EvaluationEvent {
  readonly decision: Decision;
  readonly status: EvaluationEvent["status"];
  readonly durationSeconds: number;
  readonly matchedRule: string | undefined;
  readonly #ended: Ended;
  /** Made when something is read: one field costs less than four. */
  #copies: Copies | undefined = undefined;

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
    if (result === undefined) return undefined;
    const copies = this.#made();
    copies.result ??= copyResult(result);
    return copies.result;
  }

  get error(): unknown {
    const { error } = this.#ended;
    if (error === undefined) return undefined;
    const copies = this.#made();
    copies.error ??= copyError(error);
    return copies.error;
  }

  get used(): readonly UsedEvaluation[] {
    const { used } = this.#ended;
    // Most decisions use no other.
    if (used.length === 0) return noneUsed;
    const copies = this.#made();
    copies.used ??= copyUsed(used);
    return copies.used;
  }

  get context(): HookContext {
    const copies = this.#made();
    copies.context ??= createContext(this.#ended);
    return copies.context;
  }

  #made(): Copies {
    this.#copies ??= { result: undefined, error: undefined, used: undefined, context: undefined };
    return this.#copies;
  }
}

function statusOf(error: DecernError | undefined): "REFUSED" | "ERROR" {
  return error !== undefined && isRefusal(error) ? "REFUSED" : "ERROR";
}

function copyUsed(list: readonly UsedEvaluation[]): readonly UsedEvaluation[] {
  return list.map(({ decision, input, profile, result, used }) => ({
    decision,
    input: copyData(input),
    profile: copyData(profile),
    result: copyResult(result),
    used: copyUsed(used),
  }));
}
