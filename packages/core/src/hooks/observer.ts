import type { Decision } from "../definition/decision.js";
import type { Result, ResultStatus } from "../program/result.js";
import type { HookContext } from "./hooks.js";

/**
 * One evaluation that ended, as one observer sees it. `result`, `error` and `context` are copies for this observer alone,
 * made when they are first read: read before `onEvaluated` returns what is to be kept.
 */
export interface EvaluationEvent {
  readonly decision: Decision;
  /** The result's own; `REFUSED` when a hook refused the call with a 4xx status, `ERROR` for a fault. */
  readonly status: ResultStatus | "REFUSED" | "ERROR";
  /**
   * From the call to its result or fault, in seconds: with `beforeEvaluate`, and without `afterEvaluate` or writing the
   * result as JSON. The same in every host and in process.
   */
  readonly durationSeconds: number;
  /** Id of the rule that matched; absent unless the status is `OK`. */
  readonly matchedRule: string | undefined;
  /** Absent on a refusal and on a fault. */
  readonly result: Result | undefined;
  /** What was thrown; absent where there is a result. */
  readonly error: unknown;
  readonly context: HookContext;
}

/** Watches evaluations: metrics, audit logs, tracing. Synchronous, never awaited, never able to change or break an outcome. */
export interface EvaluationObserver {
  onEvaluated(event: EvaluationEvent): void;
}
