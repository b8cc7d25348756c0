import { type Decision, program } from "../definition/decision.js";
import type { DecernError } from "../errors.js";
import type { Told } from "../hooks/hook-context.js";
import type { Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";
import type { EvaluationCall } from "./evaluation-call.js";

/** One evaluation on its way through the pipeline: what was asked, as `beforeEvaluate` left it, and how it ended. */
export class Evaluation implements Told {
  readonly decision: Decision;
  readonly startedMs: number;
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

  constructor(decision: Decision, call: EvaluationCall, startedMs: number, epochMs: number) {
    this.decision = decision;
    this.startedMs = startedMs;
    this.decisionId = decision.id;
    this.input = call.input;
    this.givenProfile = call.profile;
    this.profileFrom = call.profileFrom;
    this.scope = new RuleScope(epochMs, call.requestId);
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
}
