/** One rule that was examined. */
export interface EvaluatedRule {
  readonly ruleId: string;
  readonly matched: boolean;
  /** Why it matched; on the rule that matched only. */
  readonly explanation?: string;
}

/** One failing place of an input or profile. */
export interface ValidationIssue {
  /** JSON Pointer into the input or profile; empty for the whole. */
  readonly path: string;
  /** What is expected there. Never the value that was sent. */
  readonly message: string;
  /** The constraint that failed, such as `minimum` or `required`. */
  readonly keyword: string;
}

export interface OkResult<Output = unknown, RuleId extends string = string> {
  readonly status: "OK";
  readonly data: Output;
  readonly meta: {
    readonly decisionId: string;
    readonly decisionVersion: string;
    readonly matchedRule: RuleId;
    readonly explanation: string;
    /** ISO 8601, UTC. */
    readonly evaluatedAt: string;
    readonly evaluatedRules: readonly EvaluatedRule[];
  };
}

export interface NoMatchResult {
  readonly status: "NO_MATCH";
  readonly message: string;
  readonly meta: {
    readonly decisionId: string;
    readonly decisionVersion: string;
    readonly explanation: string;
    readonly evaluatedAt: string;
    readonly evaluatedRules: readonly EvaluatedRule[];
  };
}

export interface InvalidResult<Status extends "INVALID_INPUT" | "INVALID_PROFILE"> {
  readonly status: Status;
  /** One sentence that names the failing fields. */
  readonly message: string;
  /** At most 20. */
  readonly errors: readonly ValidationIssue[];
  readonly meta: { readonly decisionId: string; readonly evaluatedAt: string };
}

/**
 * The envelope: what an evaluation answers, in process and over HTTP.
 *
 * @typeParam RuleId - ids of the decision's rules, where they are known
 */
export type Result<Output = unknown, RuleId extends string = string> =
  | OkResult<Output, RuleId>
  | NoMatchResult
  | InvalidResult<"INVALID_INPUT">
  | InvalidResult<"INVALID_PROFILE">;

export type ResultStatus = Result["status"];
export type ResultMeta = Result["meta"];
