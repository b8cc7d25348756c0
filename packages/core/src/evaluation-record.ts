import { type Decision, program } from "./decision.js";
import type { HookContext } from "./hooks.js";
import type { EvaluationEvent } from "./observer.js";
import type { Result } from "./result.js";
import type { RuleScope } from "./rule-scope.js";

/** The event of an evaluation that no hook has seen: its context is made only when an observer asks for it. */
export class EvaluationRecord implements EvaluationEvent {
  readonly decision: Decision;
  readonly status: EvaluationEvent["status"];
  readonly durationSeconds: number;
  readonly result: Result | undefined;
  readonly error: unknown;
  readonly #scope: RuleScope;
  readonly #input: unknown;
  readonly #profile: unknown;
  #context: HookContext | undefined;

  constructor(
    decision: Decision,
    outcome: { readonly result: Result | undefined; readonly error?: unknown },
    durationSeconds: number,
    call: { readonly input: unknown; readonly profile?: unknown },
    scope: RuleScope,
  ) {
    this.decision = decision;
    this.status = outcome.result === undefined ? "ERROR" : outcome.result.status;
    this.durationSeconds = durationSeconds;
    this.result = outcome.result;
    this.error = outcome.error;
    this.#scope = scope;
    this.#input = call.input;
    this.#profile = call.profile;
  }

  get context(): HookContext {
    this.#context ??= createContext(
      this.decision,
      { input: this.#input, profile: this.#profile },
      this.#scope,
    );
    return this.#context;
  }
}

/** What hooks and observers are told of a call. */
export function createContext(
  decision: Decision,
  call: { readonly input: unknown; readonly profile?: unknown },
  scope: RuleScope,
): HookContext {
  return {
    decisionId: decision.id,
    input: call.input,
    profile: call.profile === undefined ? decision[program].boundProfile : call.profile,
    requestId: scope.requestId,
    timestamp: scope.now,
  };
}
