export type { Awaitable } from "./awaitable.js";
export { isThenable, withDeadline } from "./awaitable.js";
export { createCatalogue } from "./catalogue.js";
export { type Clock, isoTimestamp, systemClock } from "./clock.js";
export { createEvaluator, type Evaluator } from "./create-evaluator.js";
export type {
  Decision,
  DecisionInfo,
  DecisionSchema,
  DecisionSchemas,
  ProfileOf,
  ProfilesOf,
  Rule,
  RuleOf,
} from "./decision.js";
export { defaultProfile } from "./default-profile.js";
export { type DecisionDefinition, defineDecision } from "./define-decision.js";
export { describeDecision, extractDecisionSchema, toJsonSchema } from "./describe.js";
export { DecernError, type DecernErrorOptions, ERRORS, type ErrorCode, type Problem } from "./errors.js";
export { type EvaluateOptions, evaluate } from "./evaluate.js";
export { evaluatorOptionKinds } from "./evaluator-option-kinds.js";
export type { EvaluatorOptions } from "./evaluator-options.js";
export type { HookContext, Hooks } from "./hooks.js";
export { type AccessCheck, type AccessVerdict, createAccessCheck } from "./http/access-check.js";
export {
  type ErrorReply,
  errorBody,
  RESULT_HTTP_STATUS,
  tableReply,
  toErrorReply,
} from "./http/outcome-table.js";
export { decisionPath, normalizePrefix, prefixKind } from "./http/paths.js";
export { decisionOptionKinds, prepareDecision } from "./http/prepare-decision.js";
export { replyTogether } from "./http/reply-together.js";
export {
  createRequestHandler,
  type DecisionReply,
  handleCall,
  type RequestHandler,
  type RequestReader,
} from "./http/request-handler.js";
export { asThrowable } from "./http/throwable.js";
export {
  isJsonObject,
  type JsonSchema,
  mapSubschemas,
  normalizeJsonSchema,
  normalizeSchemaNode,
} from "./json-schema.js";
export { consoleLogger, type Logger, neverThrowing } from "./logger.js";
export type { EvaluationEvent, EvaluationObserver } from "./observer.js";
export { type OptionKind, type OptionTable, optionKinds } from "./option-kinds.js";
export { checkOptions, type OptionRules, optionProblems } from "./options.js";
export {
  feature,
  type MetricLabels,
  type MetricsCollectorPort,
  type MetricsFeature,
  type OpenAPIFeature,
  type SecurityDescription,
  type ServiceDescription,
} from "./ports.js";
export { readable } from "./readable.js";
export { isRequestId, requestIdFrom } from "./request-id.js";
export type {
  EvaluatedRule,
  InvalidResult,
  NoMatchResult,
  OkResult,
  Result,
  ResultMeta,
  ResultStatus,
  ValidationIssue,
} from "./result.js";
export type { RuleContext } from "./rule-context.js";
export { type EvaluationCall, type Outcome, Runner } from "./runner.js";
export type {
  InferInput,
  InferOutput,
  JsonSchemaDialect,
  JsonSchemaOptions,
  Schema,
  SchemaIssue,
  SchemaProps,
  SchemaResult,
} from "./standard-schema.js";
export { escapePointer } from "./validation.js";
export { withProfile } from "./with-profile.js";
