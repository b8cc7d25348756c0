export type { Awaitable } from "./awaitable.js";
export type {
  Decision,
  DecisionInfo,
  DecisionSchema,
  DecisionSchemas,
  InputOf,
  OutputOf,
  ProfileOf,
  ProfilesOf,
  Rule,
  RuleOf,
} from "./definition/decision.js";
export { type DecisionDefinition, defineDecision } from "./definition/define-decision.js";
export { describeDecision, extractDecisionSchema, toJsonSchema } from "./definition/describe.js";
export type { InputFor, ProfileFor, ProfileInput } from "./definition/given.js";
export type { RuleContext } from "./definition/rule-context.js";
export { withProfile } from "./definition/with-profile.js";
export { DecernError, type DecernErrorOptions, ERRORS, type ErrorCode, type Problem } from "./errors.js";
export type { Clock } from "./evaluation/clock.js";
export { createEvaluator, type Evaluator } from "./evaluation/create-evaluator.js";
export { type EvaluateOptions, evaluate } from "./evaluation/evaluate.js";
export type { EvaluationCall } from "./evaluation/evaluation-call.js";
export type { EvaluatorOptions } from "./evaluation/evaluator-options.js";
export type { Logger } from "./evaluation/logger.js";
export type { HookContext, Hooks } from "./hooks/hooks.js";
export type { EvaluationEvent, EvaluationObserver } from "./hooks/observer.js";
export type { MetricLabels, MetricsCollectorPort, MetricsFeature, OpenAPIFeature } from "./host/ports.js";
export type {
  EvaluatedRule,
  InvalidResult,
  NoMatchResult,
  OkResult,
  Result,
  ResultMeta,
  ResultStatus,
  ValidationIssue,
} from "./program/result.js";
export type { JsonSchema } from "./schema/json-schema.js";
export type { InferEmitted, InferInput, InferOutput, Schema } from "./schema/standard-schema.js";
