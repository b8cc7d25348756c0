import type { LazyCopy } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import { type Decision, type ProfileLookup, program, type UsedEvaluation } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import { RuleScope, type ScopeOrigin } from "../decision/scope.js";
import type { HostCall } from "./call.js";
import { readPatch, type Told } from "./hook-context.js";
import type { RecordedEvaluation, Recorder, RecordTicket } from "./records.js";
import type { RequestView, SelectedBy } from "./request-view.js";
import type { Shadow } from "./shadow.js";
import type { Traces } from "./traces.js";

/** One evaluation on its way through the pipeline: the call, as `beforeEvaluate` left it, and how it ended. */
export class Evaluation implements Told, ScopeOrigin, RecordedEvaluation {
  readonly decision: Decision;
  readonly startedMs: number;
  /** Kept for what few evaluations need: each field costs every evaluation time. */
  readonly call: HostCall;
  decisionId: string;
  input: unknown;
  /** `undefined` takes the decision's default profile. */
  givenProfile: unknown;
  profileFrom: "caller" | "host" | undefined;
  scope: RuleScope;
  /** Set when a step before the evaluation itself failed. */
  aborted: { readonly thrown: unknown } | undefined = undefined;
  result: Result | undefined = undefined;
  error: DecernError | undefined = undefined;
  /** Until it has ended, 0. */
  durationSeconds = 0;
  /** Absent where nothing is recorded, and where there was no room for one more record. */
  recorder: Recorder | undefined = undefined;
  /** Where it is to be recorded. */
  ticket: RecordTicket | undefined = undefined;
  /** What to wait for before the outcome may leave. */
  recorded: Promise<void> | undefined = undefined;
  /** Absent where nobody traces. */
  traces: Traces | undefined = undefined;
  /** To be run once the reply is written. */
  afterwards: (() => void) | undefined = undefined;

  /** @param input - that of the call, or of one of the many that share it */
  constructor(decision: Decision, call: HostCall, input: unknown, startedMs: number, epochMs: number) {
    this.decision = decision;
    this.startedMs = startedMs;
    this.call = call;
    this.decisionId = decision.id;
    this.input = input;
    this.givenProfile = call.profile;
    this.profileFrom = call.profileFrom;
    this.scope = new RuleScope(this, epochMs, call.requestId);
  }

  get id(): string {
    return this.decision.id;
  }

  get uses(): readonly Decision[] {
    return this.decision.uses;
  }

  get caller(): string | undefined {
    return this.call.caller;
  }

  get request(): RequestView | undefined {
    return this.call.request;
  }

  /** For the decisions that this one uses. */
  get profiles(): ProfileLookup | undefined {
    return this.call.profiles;
  }

  get traceparent(): string | undefined {
    return this.traces?.traceparent ?? this.call.traceparent;
  }

  get selectedBy(): SelectedBy {
    return this.call.selectedBy ?? "default";
  }

  /** Whether a caller or a hook brought the profile. */
  get hasOwnProfile(): boolean {
    return this.givenProfile !== undefined && this.profileFrom !== "host";
  }

  /** Whether other calls of the same request have this profile too: a caller's, and no hook has replaced it. */
  get sharesProfile(): boolean {
    return this.call.sharesProfile === true && this.hasOwnProfile && this.givenProfile === this.call.profile;
  }

  get shadow(): Shadow | undefined {
    return this.call.shadow;
  }

  /** The profile that is evaluated with. */
  get profile(): unknown {
    return this.givenProfile === undefined ? this.decision[program].boundProfile : this.givenProfile;
  }

  get requestId(): string {
    return this.scope.requestId;
  }

  get epochMs(): number {
    return this.scope.epochMs;
  }

  /** What its rules evaluated. */
  get used(): readonly UsedEvaluation[] {
    return this.scope.used;
  }

  /**
   * Applies what `beforeEvaluate` returned.
   *
   * @param profile - the one that the hook got
   * @throws DecernError `EVALUATION_FAILED` for a patch that makes no sense
   */
  apply(patch: unknown, profile: LazyCopy): void {
    if (patch === undefined || patch === null) return;
    const patched = readPatch(this, profile.original, patch);
    this.decisionId = patched.decisionId;
    this.input = patched.input;
    this.scope = new RuleScope(this, patched.epochMs, patched.requestId);
    // If the hook returned the profile that it got, whoever gave that profile is still responsible for it.
    if (patched.profile === profile.original) return;
    this.givenProfile = patched.profile;
    if (!profile.is(patched.profile)) this.profileFrom = "caller";
  }
}

/**
 * What the caller of an evaluation receives when it ends: the result itself in process, a reply over HTTP. It is made
 * before hooks and observers see the evaluation, so nothing they do can change it.
 */
export interface Encoder<Output, Ended> {
  /**
   * Whether calls may come from outside the process. Then a value with too many levels is refused before anything looks
   * into it; in process that shows when something fails.
   */
  readonly takesRequests: boolean;
  /** May throw: the evaluation then failed. */
  result(result: Result<Output>, evaluation: Evaluation): Ended;
  fault(error: DecernError, evaluation: Evaluation): Ended;
}

/**
 * Evaluates the decision itself.
 *
 * @param isGuarded - whether a value with too many levels is refused before anything looks into it
 * @throws what made a step before fail, and every fault
 */
export function decide<Output>(
  decision: Decision<unknown, Output>,
  evaluation: Evaluation,
  isGuarded: boolean,
): Result<Output> {
  const { input, givenProfile, scope, aborted } = evaluation;
  if (aborted !== undefined) throw aborted.thrown;
  const compiled = decision[program];
  const refusal = isGuarded ? compiled.refuseNesting(input, givenProfile, scope) : undefined;
  const result = refusal ?? compiled.evaluate(input, givenProfile, scope);
  if (result.status === "INVALID_PROFILE" && evaluation.profileFrom === "host") {
    throw new DecernError("INVALID_HOST_PROFILE", {
      detail: `the host's profile for decision "${decision.id}" breaks its schema`,
      problems: result.errors,
    });
  }
  return result;
}
