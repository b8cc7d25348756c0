import { copyData } from "../base/copy.js";
import { copyError, type DecernError } from "../base/errors.js";
import { isRefusal, toFault } from "../base/faults.js";
import { type Awaitable, ignoreRejection, isThenable } from "../base/time.js";
import type { Decision, UsedEvaluation } from "../decision/decision.js";
import { copyResult, type Result } from "../decision/result.js";
import { noneUsed } from "../decision/scope.js";
import { createContext, type Told } from "./hook-context.js";
import type {
  EvaluationEvent,
  EvaluationObserver,
  EvaluationStart,
  EvaluationTrace,
  HookContext,
  Hooks,
} from "./hooks.js";
import { isTraceparent } from "./request-view.js";

/** An evaluation that has ended. */
interface EndedRun extends Told {
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
  readonly #ended: EndedRun;
  /** Made when something is read: one field costs less than four. */
  #copies: Copies | undefined = undefined;

  constructor(ended: EndedRun, durationSeconds: number) {
    const { result, error } = ended;
    this.decision = ended.decision;
    this.status = result?.status ?? (error !== undefined && isRefusal(error) ? "REFUSED" : "ERROR");
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

function copyUsed(list: readonly UsedEvaluation[]): readonly UsedEvaluation[] {
  return list.map(({ decision, input, profile, result, used }) => ({
    decision,
    input: copyData(input),
    profile: copyData(profile),
    result: copyResult(result),
    used: copyUsed(used),
  }));
}

/** Told what a trace or an observer threw. */
type Failed = (thrown: unknown) => void;

/** How a piece of work ended. */
type Ended<T> = { readonly value: T } | { readonly thrown: unknown };

/**
 * Has somebody else run a piece of work, to watch it. It runs once, even if they run it twice, or not at all; what they return
 * or throw changes nothing.
 *
 * @param tell - gives the work to what watches
 * @returns what the work returns, or throws what it throws
 */
function runWatched<T>(work: () => T, tell: (run: () => Ended<T>) => unknown, failed: Failed): T {
  let ended: Ended<T> | undefined;
  const run = (): Ended<T> => {
    ended ??= attempt(work);
    return ended;
  };
  try {
    ignoreRejection(tell(run));
  } catch (thrown) {
    failed(thrown);
  }
  const end = run();
  if ("thrown" in end) throw end.thrown;
  return end.value;
}

function attempt<T>(work: () => T): Ended<T> {
  try {
    return { value: work() };
  } catch (thrown) {
    return { thrown };
  }
}

/** The traces of one evaluation: each watches the steps, and none can change or break them. */
export class Traces {
  readonly traceparent: string | undefined;
  readonly #traces: readonly EvaluationTrace[];
  readonly #failed: Failed;
  #hasEnded = false;

  constructor(traces: readonly EvaluationTrace[], traceparent: string | undefined, failed: Failed) {
    this.#traces = traces;
    this.traceparent = traceparent;
    this.#failed = failed;
  }

  /** For a line of a log, as OpenTelemetry names them. */
  get ids(): { readonly trace_id?: string | undefined; readonly span_id?: string | undefined } {
    const [, trace_id, span_id] = this.traceparent?.split("-") ?? [];
    return trace_id === undefined ? {} : { trace_id, span_id };
  }

  /** Runs a hook. What runs once the evaluation has ended is not part of it. */
  hook<T>(name: keyof Hooks, call: () => Awaitable<T>): Awaitable<T> {
    if (this.#hasEnded) return call();
    return this.#run(
      () => {
        const returned = call();
        // Some thenables start their work each time somebody asks for it. Adopted, they are asked once.
        return isThenable(returned) ? Promise.resolve(returned) : returned;
      },
      (trace, run) =>
        trace.onHook?.(name, (ended) => {
          const tell = (fault?: DecernError): void => this.#attempt(() => ended(fault));
          const failed = (thrown: unknown): void => tell(shownFault(thrown, `hook ${name}`));
          const end = run();
          if ("thrown" in end) failed(end.thrown);
          // Before the code that waits for the hook continues.
          else if (isThenable(end.value)) end.value.then(() => tell(), failed);
          else tell();
        }),
    );
  }

  /** Evaluates a decision that a rule uses. */
  used<Output>(decision: Decision, evaluate: () => Result<Output>): Result<Output> {
    return this.#run(evaluate, (trace, run) =>
      trace.onUsed?.(decision, () => {
        const end = run();
        if ("thrown" in end) {
          const error = shownFault(end.thrown, `decision "${decision.id}"`);
          return { status: "ERROR", matchedRule: undefined, error };
        }
        const { value } = end;
        const matchedRule = value.status === "OK" ? value.meta.matchedRule : undefined;
        return { status: value.status, matchedRule, error: undefined };
      }),
    );
  }

  /** @param event - makes an event for each trace, so that none can deceive the next */
  end(event: () => EvaluationEvent): void {
    this.#hasEnded = true;
    for (const trace of this.#traces) this.#attempt(() => ignoreRejection(trace.onEnded(event())));
  }

  /** One trace within the other. */
  #run<T>(work: () => T, tell: (trace: EvaluationTrace, run: () => Ended<T>) => unknown): T {
    const within = this.#traces.reduceRight(
      (inner, trace) => () => runWatched(inner, (run) => tell(trace, run), this.#failed),
      work,
    );
    return within();
  }

  #attempt(tell: () => void): void {
    try {
      tell();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }
}

/**
 * Asks observers who want to follow an evaluation. Most do not, and then nothing is made.
 *
 * @param failed - told of which evaluation an observer failed, and what it threw
 */
export function startTraces<Started extends EvaluationStart>(
  observers: readonly EvaluationObserver[],
  started: Started,
  failed: (started: Started, thrown: unknown) => void,
): Traces | undefined {
  const { decision, request } = started;
  let traces: EvaluationTrace[] | undefined;
  let own: string | undefined;
  for (const observer of observers) {
    try {
      const trace = observer.onStarted?.({ decision, request });
      if (trace === undefined || trace === null) continue;
      const { traceparent: given } = trace;
      if (own === undefined && isTraceparent(given)) own = given;
      traces ??= [];
      traces.push(trace);
    } catch (thrown) {
      failed(started, thrown);
    }
  }
  if (traces === undefined) return undefined;
  return new Traces(traces, own, (thrown) => failed(started, thrown));
}

function shownFault(thrown: unknown, where: string): DecernError {
  return copyError(toFault(thrown, where));
}
