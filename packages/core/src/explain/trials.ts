import type { Decision } from "../definition/decision.js";
import { isSameJson, type Outcome, outcomeOf } from "../evaluation/outcome.js";
import { type EarlierCall, reevaluate } from "../evaluation/reevaluate.js";
import { isJsonObject } from "../schema/json-schema.js";
import { type Path, replaceAt } from "./replace-at.js";

/** How a call ended with one value of one field. */
export interface Answer {
  /** Of an envelope, or `ERROR`. */
  readonly status: string;
  readonly rule: string | undefined;
  readonly explanation: string | undefined;
  readonly data: unknown;
  readonly changesRule: boolean;
  readonly changesOutput: boolean;
}

/** Evaluates one call with one field changed, again and again, within a budget. */
export class Trials {
  readonly #decision: Decision;
  readonly #call: EarlierCall;
  readonly #original: Omit<Answer, "changesRule" | "changesOutput">;
  readonly #budget: number;
  #spent = 1;

  /**
   * @param original - how the call ended as it is
   * @param budget - evaluations, that of the call as it is included
   */
  constructor(decision: Decision, call: EarlierCall, original: Outcome, budget: number) {
    this.#decision = decision;
    this.#call = call;
    this.#original = read(original);
    this.#budget = budget;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return this.#budget - this.#spent;
  }

  /** @param value - `undefined` leaves the field out */
  evaluate(path: Path, value: unknown): Answer {
    this.#spent += 1;
    const input = replaceAt(this.#call.input, path, value);
    const again = reevaluate(this.#decision, { ...this.#call, input });
    const answer = read(outcomeOf(this.#decision, again));
    const original = this.#original;
    return {
      ...answer,
      changesRule: answer.status !== original.status || answer.rule !== original.rule,
      changesOutput: !isSameJson(answer.data, original.data),
    };
  }
}

/** Whether an answer is another one than that of the call as it is. A refusal or a fault is no answer. */
export function isFlip(answer: Answer): boolean {
  return isAnswer(answer) && (answer.changesRule || answer.changesOutput);
}

/** As {@link isFlip}, for another rule. */
export function isRuleFlip(answer: Answer): boolean {
  return isAnswer(answer) && answer.changesRule;
}

function isAnswer({ status }: Answer): boolean {
  return status === "OK" || status === "NO_MATCH";
}

function read({ envelope, error }: Outcome): Omit<Answer, "changesRule" | "changesOutput"> {
  if (error !== undefined || !isJsonObject(envelope))
    return { status: "ERROR", rule: undefined, explanation: undefined, data: undefined };
  const meta = isJsonObject(envelope["meta"]) ? envelope["meta"] : {};
  return {
    status: textOf(envelope["status"]) ?? "ERROR",
    rule: textOf(meta["matchedRule"]),
    explanation: textOf(meta["explanation"]),
    data: envelope["data"],
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
