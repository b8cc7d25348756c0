import type { DecernError } from "../base/errors.js";
import { type Awaitable, ignoreRejection } from "../base/time.js";
import type { Decision, UsedEvaluation } from "../decision/decision.js";
import type { OkResult, Result, ResultStatus } from "../decision/result.js";
import type { SourceLoad } from "./generation-source.js";
import type { Identity, RequestView, SelectedBy } from "./request-view.js";

/**
 * What a hook receives: an object for this hook alone. Plain data in it (objects, lists, dates, maps, sets) is a copy, so that
 * writing to it reaches no other code; after `beforeEvaluate`, a profile of the decision's own is frozen instead, unless it holds
 * dates, maps, sets or bytes. An instance of a class, and what a symbol names, is handed over as it is.
 */
export interface HookContext<Caller extends Identity = Identity> {
  readonly decisionId: string;
  /** The version that is evaluated. A hook cannot change it. */
  readonly decisionVersion: string;
  /** How that version was chosen: `path` where the caller named it. A hook cannot change it. */
  readonly selectedBy: SelectedBy;
  readonly input: unknown;
  readonly profile: unknown;
  /** For tracing: the caller's `x-request-id` if it is a valid one, else a fresh UUID. */
  readonly requestId: string;
  /** When the evaluation started: the instant of `meta.evaluatedAt`. */
  readonly timestamp: Date;
  /** The caller, as the host's `authenticate` or `caller` says; absent without one. A hook cannot change it. */
  readonly caller?: string;
  /** The HTTP request; absent in process. A hook cannot change it. */
  readonly request?: RequestView<Caller>;
}

/** Lifecycle hooks, run around every evaluation. Each may be asynchronous, and has to settle within the host's hook time-out. */
export interface Hooks<Caller extends Identity = Identity> {
  /** Runs before validation. The fields it returns replace those of the context; throwing aborts the evaluation. */
  readonly beforeEvaluate?:
    | ((context: HookContext<Caller>) => Awaitable<Partial<HookContext> | void>)
    | undefined;
  /**
   * Runs after a rule matched. It gets a copy: whatever it does, the result stands. What isn't plain data is in it as JSON
   * writes it.
   */
  readonly afterEvaluate?: ((context: HookContext<Caller>, result: OkResult) => Awaitable<void>) | undefined;
  /** Runs once when a hook, a callback or the evaluation failed, with what was thrown. */
  readonly onError?: ((context: HookContext<Caller>, error: unknown) => Awaitable<void>) | undefined;
}

/**
 * One evaluation that ended, as one observer sees it. `result`, `error`, `used` and `context` are copies for this observer alone,
 * made when they are first read: read before `onEvaluated` returns what is to be kept.
 */
export interface EvaluationEvent {
  readonly decision: Decision;
  /** The result's own; `REFUSED` when a hook refused the call with a 4xx status, `ERROR` for an error. */
  readonly status: ResultStatus | "REFUSED" | "ERROR";
  /**
   * From the call to its result or error, in seconds: with `beforeEvaluate`, and without `afterEvaluate` or writing the
   * result as JSON. The same in every host and in process.
   */
  readonly durationSeconds: number;
  /** Id of the rule that matched; absent unless the status is `OK`. */
  readonly matchedRule: string | undefined;
  /** Absent on a refusal and on an error. */
  readonly result: Result | undefined;
  /** What was thrown; absent where there is a result. */
  readonly error: unknown;
  /** The decisions that rules evaluated with `context.evaluate`, in order. */
  readonly used: readonly UsedEvaluation[];
  readonly context: HookContext;
}

/** One evaluation of a candidate, alongside the decision that replied. */
export interface ShadowEvent {
  /** The one that replied. */
  readonly decision: Decision;
  readonly shadow: Decision;
  /** `same` when status, rule and output are equal; `failed` when the candidate threw. */
  readonly outcome: "same" | "different" | "failed";
  readonly result: Result;
  /** Absent where the candidate failed. */
  readonly shadowResult: Result | undefined;
  /** What the candidate threw. */
  readonly error: unknown;
  readonly requestId: string;
}

/** What became of records. */
export interface RecordEvent {
  /** `lost` when a response left without its record; `refused` when a call was rejected because it could not be recorded. */
  readonly outcome: "written" | "lost" | "refused";
  readonly count: number;
}

/** Replies of the standalone server, over HTTP. */
export interface ReplyEvent {
  /** The route's path as it was declared, such as `/decisions/:id`. Absent where the request reached none. */
  readonly route: string | undefined;
  /** Absent where the request could not be read. */
  readonly method: string | undefined;
  readonly status: number;
  /** 0 when the server starts, for errors that the route may reply with: so counters can begin at 0. */
  readonly count: number;
  /** From the request's headers to the end of the reply. Absent where the request reached no route. */
  readonly durationSeconds?: number | undefined;
}

/** An evaluation that begins. */
export interface EvaluationStart {
  readonly decision: Decision;
  /** Absent where no request asked. */
  readonly request: RequestView | undefined;
}

/**
 * Follows one evaluation while it runs, for tracing. Nothing that it does changes the outcome: a step that it does not run
 * runs without it.
 */
export interface EvaluationTrace {
  /** W3C Trace Context of this evaluation, for its record and for the log. @default that of the request */
  readonly traceparent?: string | undefined;
  /**
   * Called when a hook is due.
   *
   * @param run - runs the hook, and calls `ended` when it has settled, with the error if it failed
   */
  onHook?(name: keyof Hooks, run: (ended: (fault?: DecernError) => void) => void): void;
  /**
   * Called when a rule evaluates another decision for the first time.
   *
   * @param run - evaluates it
   */
  onUsed?(decision: Decision, run: () => Pick<EvaluationEvent, "status" | "matchedRule" | "error">): void;
  /** Called once, when the evaluation and its hooks have ended. */
  onEnded(event: EvaluationEvent): void;
}

/** Watches evaluations: metrics, audit logs, tracing. Synchronous, never awaited, never able to change or break an outcome. */
export interface EvaluationObserver {
  onEvaluated(event: EvaluationEvent): void;
  /** Called when an evaluation begins. What it returns follows this evaluation. */
  onStarted?(start: EvaluationStart): EvaluationTrace | undefined;
  /**
   * Called when a server, an adapter or a guard starts, with every version of the decisions that it serves, and again when others
   * were loaded.
   */
  onServed?(decisions: readonly Decision[]): void;
  /** Called when the standalone server has replied. */
  onReplied?(event: ReplyEvent): void;
  /** Called after a candidate was evaluated, which is after the reply was written. */
  onShadowEvaluated?(event: ShadowEvent): void;
  /** Called when a watched set of profiles was taken into use, or could not be. */
  onProfilesLoaded?(load: SourceLoad): void;
  /** Called when a watched set of decisions was taken into use, or could not be. */
  onDecisionsLoaded?(load: SourceLoad): void;
  /** Called when records of a decision log were written, or were not. */
  onRecorded?(event: RecordEvent): void;
}

/**
 * Tells observers, none of which can break anything.
 *
 * @param tell - makes an event for each observer, so that none can deceive the next
 * @param failed - told what an observer threw
 */
export function notifyObservers(
  observers: readonly EvaluationObserver[],
  tell: (observer: EvaluationObserver) => unknown,
  failed: (thrown: unknown) => void,
): void {
  for (const observer of observers) {
    try {
      // Nothing waits for an observer; one that is asynchronous all the same must not end the process.
      ignoreRejection(tell(observer));
    } catch (thrown) {
      failed(thrown);
    }
  }
}
