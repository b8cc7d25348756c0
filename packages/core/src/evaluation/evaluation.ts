import type { LazyCopy } from "../copies/lazy-copy.js";
import { type Decision, type ProfileLookup, program, type UsedEvaluation } from "../definition/decision.js";
import type { DecernError } from "../errors.js";
import type { Told } from "../hooks/hook-context.js";
import { readPatch } from "../hooks/hook-patch.js";
import type { RequestView } from "../hooks/request-view.js";
import type { Traces } from "../hooks/traces.js";
import type { Result } from "../program/result.js";
import { RuleScope, type ScopeOrigin } from "../program/rule-scope.js";
import type { SelectedBy } from "../records/decision-record.js";
import type { RecordedEvaluation, Recorder, RecordTicket } from "../records/recorder.js";
import type { Shadow } from "../versions/shadow.js";
import type { HostCall } from "./evaluation-call.js";

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
