import { copyData } from "../base/copy.js";
import { copyError, type DecernError } from "../base/errors.js";
import { type Logger, readable, toFault } from "../base/faults.js";
import { ignoreRejection, type Timekeeper } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import { evaluateCall, type Outcome } from "../decision/evaluate.js";
import { envelopeOf, isSameOutcome } from "../decision/reevaluation.js";
import { copyResult, type Result } from "../decision/result.js";
import { type EvaluationObserver, notifyObservers, type ShadowEvent } from "./hooks.js";
import type { RecordedEvaluation, Recorder } from "./records.js";
import type { Run, ShadowChoice } from "./run.js";
import type { VersionOf } from "./version-policy.js";

/**
 * Which candidate is evaluated alongside the decision that replies.
 *
 * @typeParam Version - those that are listed
 */
export interface ShadowPolicy<Version extends string = string> {
  /** Another version of the same decision. */
  readonly version?: Version | undefined;
  /** Or a decision that is not served. */
  readonly decision?: Decision | undefined;
  /** The share of calls to evaluate, from 0 to 1. @default 1 */
  readonly sample?: number | undefined;
}

/** Shadow policies by decision id. */
export type ShadowsOf<Decisions extends readonly Decision[]> = {
  readonly [Id in Decisions[number]["id"]]?: ShadowPolicy<VersionOf<Decisions, Id>> | undefined;
};

/** Who is notified. */
interface Watchers {
  readonly observers: readonly EvaluationObserver[];
  /** Must not throw. */
  readonly logger: Logger;
  readonly time: Timekeeper;
  readonly recorder: Recorder | undefined;
}

/**
 * Takes what it needs of an evaluation that ended, before anybody else can change it: to evaluate a candidate with the same call,
 * and to report where they differ. No hook runs, no evaluation is counted, and whatever fails stays here.
 *
 * @returns what to run once the reply is written, which never throws; `undefined` when this call is not in the sample
 */
export function prepareShadow(
  { candidate, sample }: ShadowChoice,
  run: Run,
  result: Result,
  watchers: Watchers,
): (() => void) | undefined {
  if (Math.random() >= sample) return undefined;
  const { decision, givenProfile, profiles, epochMs, requestId } = run;
  const { caller, traceparent, hasOwnProfile, sharesProfile } = run;
  const input = copyData(run.input);
  // What is shared is frozen.
  const profile = sharesProfile ? givenProfile : copyData(givenProfile);
  const kept = copyResult(result);
  const from = { requestId, epochMs, caller, traceparent };
  const shadowOf = run.ticket?.recordId;
  return () => {
    const startedMs = watchers.time.start();
    const ended = evaluateCall({ decision: candidate, ...from, input, profile, profiles });
    const durationSeconds = watchers.time.since(startedMs);
    const { outcome, error } = compare(decision, kept, candidate, ended);
    const shadowResult = error === undefined ? ended.result : undefined;
    const own = { input, profiles, hasOwnProfile, sharesProfile, shadowOf };
    const shadowed = { decision: candidate, ...from, ...own, ...ended, durationSeconds };
    record(watchers, sample, { ...shadowed, selectedBy: "shadow", result: shadowResult, error });
    const copied = (): unknown => (error === undefined ? undefined : copyError(error));
    if (error !== undefined) {
      const details = { err: copied(), decisionId: candidate.id, requestId };
      watchers.logger.error(details, "A shadow evaluation failed");
    }
    notify(watchers, requestId, () => ({
      decision,
      shadow: candidate,
      outcome,
      result: copyResult(kept),
      shadowResult: shadowResult === undefined ? undefined : copyResult(shadowResult),
      error: copied(),
      requestId,
    }));
  };
}

/** Nothing waits for the record of a shadow. */
function record({ recorder }: Watchers, sample: number, shadowed: RecordedEvaluation): void {
  const { decision, result } = shadowed;
  const ticket = recorder?.choose(decision.id, result?.status ?? "ERROR", sample);
  if (recorder === undefined || ticket === undefined) return;
  ignoreRejection(recorder.record(ticket, shadowed));
}

function notify({ observers, logger }: Watchers, requestId: string, event: () => ShadowEvent): void {
  notifyObservers(
    observers,
    (observer) => observer.onShadowEvaluated?.(event()),
    (thrown) => logger.error({ err: readable(thrown), requestId }, "An observer failed"),
  );
}

/** A candidate whose output no reply could have has failed too. */
function compare(
  decision: Decision,
  result: Result,
  candidate: Decision,
  shadowed: Outcome,
): Pick<ShadowEvent, "outcome"> & { readonly error: DecernError | undefined } {
  if (shadowed.result === undefined) return { outcome: "failed", error: shadowed.error };
  try {
    const isSame = isSameOutcome(
      { envelope: envelopeOf(decision, result) },
      { envelope: envelopeOf(candidate, shadowed.result) },
    );
    return { outcome: isSame ? "same" : "different", error: undefined };
  } catch (thrown) {
    return { outcome: "failed", error: toFault(readable(thrown), `decision "${candidate.id}"`) };
  }
}
