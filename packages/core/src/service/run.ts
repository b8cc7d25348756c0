import { type DecernError, type ErrorReply, toErrorReply } from "../base/errors.js";
import { toFault } from "../base/faults.js";
import { type Decision, type ProfileLookup, program, type UsedEvaluation } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import { RuleScope, type ScopeOrigin } from "../decision/scope.js";
import { isTooDeep } from "../decision/validation.js";
import { type LazyCopy, readPatch, type Told } from "./hook-context.js";
import type { Traces } from "./observed.js";
import type { RecordedEvaluation, Recorder, RecordTicket } from "./records.js";
import type { Origin, RequestView, SelectedBy } from "./request-view.js";

/** What is to be evaluated. */
export interface EvaluationCall {
  readonly input: unknown;
  /** Left out, the decision's default profile. */
  readonly profile?: unknown;
  /** @default a fresh UUID */
  readonly requestId?: string | undefined;
  /** Who owns the error if a profile breaks its schema: `caller` gets `INVALID_PROFILE`, `host` a masked error. @default caller */
  readonly profileFrom?: "caller" | "host" | undefined;
  /** The caller. Rules, hooks and observers see it. */
  readonly caller?: string | undefined;
}

/** Which candidate is evaluated alongside the decision that replies to a call. */
export interface ShadowChoice {
  readonly candidate: Decision;
  /** The share of calls to evaluate, from 0 to 1. */
  readonly sample: number;
}

/** How a call is evaluated: with which version and which profile. */
export interface Choice<Output = unknown> {
  /** With its default profile. */
  readonly decision: Decision<unknown, Output>;
  /** `undefined` takes the default profile. */
  readonly profile: unknown;
  /** Who owns the error if a profile breaks its schema. */
  readonly profileFrom: "caller" | "host";
  /** Whether other calls of the same request have this profile of the caller's too. */
  readonly sharesProfile: boolean;
  /** For the decisions that this one uses. `undefined` takes their own. */
  readonly profiles: ProfileLookup | undefined;
  readonly selectedBy: SelectedBy;
  /** Sent with the reply. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Evaluated too, once the reply is written. */
  readonly shadow: ShadowChoice | undefined;
}

/** What a caller sent of a profile. */
export interface SentProfile {
  /** Absent where the call has none; present is present, also when it is null or false. */
  readonly profile?: unknown;
  /** Names one of the profiles that the host lets callers choose. */
  readonly name?: unknown;
  /**
   * Present where many calls share it: what was made of the profile, by decision. Nothing else may hold the profile, which gets
   * frozen.
   */
  readonly shared?: Map<Decision, unknown> | undefined;
}

/** Writes a result as text, before hooks and observers see it. The evaluation fails with what it throws. */
export type Form = (result: Result, run: Run) => string;

/**
 * One evaluation on its way: origin, choice and input, what its steps left behind, and how it ended. Hooks, observers, recorder
 * and reply all read this one object. What few need are getters: each field costs every evaluation time.
 */
export class Run<Output = unknown> implements Told, ScopeOrigin, RecordedEvaluation {
  readonly origin: Origin;
  readonly choice: Choice<Output>;
  readonly startedMs: number;
  readonly decision: Decision<unknown, Output>;
  decisionId: string;
  input: unknown;
  /** `undefined` takes the decision's default profile. */
  givenProfile: unknown;
  profileFrom: "caller" | "host";
  scope: RuleScope;
  /** Set when a step before the evaluation itself failed. */
  aborted: { readonly thrown: unknown } | undefined = undefined;
  result: Result<Output> | undefined = undefined;
  error: DecernError | undefined = undefined;
  /** The reply to the error, read before anybody could change what was thrown. */
  errorReply: ErrorReply | undefined = undefined;
  /** The result as its form wrote it. */
  text: string | undefined = undefined;
  /** A copy of the result for the host's callback, which may write to it. */
  told: Result<Output> | undefined = undefined;
  /** Set when a callback of the host failed: for its error handling, instead of a reply. */
  hostError: { readonly thrown: unknown } | undefined = undefined;
  /** Until it has ended, 0. */
  durationSeconds = 0;
  /** Absent where nothing is recorded, and where there was no room for one more record. */
  recorder: Recorder | undefined = undefined;
  /** Where it is to be recorded. */
  ticket: RecordTicket | undefined = undefined;
  /** What to wait for before the outcome may leave. */
  recorded: Promise<void> | undefined = undefined;
  /** Absent without a trace. */
  traces: Traces | undefined = undefined;
  /** To be run once the reply is written: it must not delay it. */
  afterwards: (() => void) | undefined = undefined;

  constructor(
    origin: Origin,
    choice: Choice<Output>,
    input: unknown,
    requestId: string | undefined,
    startedMs: number,
    epochMs: number,
  ) {
    this.origin = origin;
    this.choice = choice;
    this.startedMs = startedMs;
    this.decision = choice.decision;
    this.decisionId = choice.decision.id;
    this.input = input;
    this.givenProfile = choice.profile;
    this.profileFrom = choice.profileFrom;
    this.scope = new RuleScope(this, epochMs, requestId);
  }

  get id(): string {
    return this.decision.id;
  }

  get uses(): readonly Decision[] {
    return this.decision.uses;
  }

  get caller(): string | undefined {
    return this.origin.caller;
  }

  get request(): RequestView | undefined {
    return this.origin.request;
  }

  /** For the decisions that this one uses. */
  get profiles(): ProfileLookup | undefined {
    return this.choice.profiles;
  }

  get traceparent(): string | undefined {
    return this.traces?.traceparent ?? this.origin.traceparent;
  }

  get selectedBy(): SelectedBy {
    return this.choice.selectedBy;
  }

  /** Whether a caller or a hook brought the profile. */
  get hasOwnProfile(): boolean {
    return this.givenProfile !== undefined && this.profileFrom !== "host";
  }

  /** Whether other calls of the same request have this profile too: a caller's, and no hook has replaced it. */
  get sharesProfile(): boolean {
    const { profile, sharesProfile } = this.choice;
    return sharesProfile && this.hasOwnProfile && this.givenProfile === profile;
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
    // If the hook returned the profile that it got, its source is still responsible for it.
    if (patched.profile === profile.original) return;
    this.givenProfile = patched.profile;
    if (!profile.is(patched.profile)) this.profileFrom = "caller";
  }

  /** It has failed, unless the caller's value was nested too deeply: then it is refused. */
  fail(thrown: unknown, form: Form | undefined): void {
    const { decision } = this;
    // A hook may have followed the caller's value as deep as the stack goes.
    const refusal = isTooDeep(thrown)
      ? decision[program].refuseNesting(this.input, undefined, this.scope)
      : undefined;
    this.ticket = this.recorder?.choose(decision.id, refusal?.status ?? "ERROR");
    if (refusal === undefined) return this.replaceBy(toFault(thrown, `decision "${decision.id}"`));
    this.result = refusal;
    if (form !== undefined) this.text = form(refusal, this);
  }

  /** It has failed, and whatever else came of it does not leave. */
  replaceBy(error: DecernError): void {
    this.error = error;
    this.errorReply = toErrorReply(error);
    this.result = undefined;
    this.text = undefined;
    this.told = undefined;
    this.afterwards = undefined;
  }
}
