export {
  DecernError,
  type DecernErrorOptions,
  ERRORS,
  type ErrorCode,
  type ErrorReply,
  type Problem,
} from "./base/errors.js";
export type { Logger } from "./base/faults.js";
export type { JsonSchema } from "./base/json-schema.js";
export type { Awaitable, Clock } from "./base/time.js";

export type {
  Decision,
  DecisionInfo,
  DecisionSchema,
  DecisionSchemas,
  HasProfile,
  InputOf,
  OutputOf,
  ProfileOf,
  ProfilesOf,
  RuleContext,
  UsedEvaluation,
} from "./decision/decision.js";
export { type DecisionDefinition, defineDecision } from "./decision/define-decision.js";
export { describeDecision, extractDecisionSchema, toJsonSchema, withProfile } from "./decision/describe.js";
export {
  type Call,
  type EvaluateManyOptions,
  type EvaluateOptions,
  evaluate,
  evaluateMany,
} from "./decision/evaluate.js";
export type {
  BoundLogic,
  InferEmitted,
  InferInput,
  InferOutput,
  InputFor,
  Logic,
  LogicContent,
  LogicContext,
  LogicDecision,
  LogicHit,
  LogicRule,
  LogicThreshold,
  MappedInput,
  ProfileFor,
  ProfileInput,
  Schema,
} from "./decision/ports.js";
export type {
  Band,
  Bands,
  EvaluatedRule,
  Explanation,
  FieldExplanation,
  Flip,
  InvalidResult,
  NoMatchResult,
  OkResult,
  Result,
  ResultMeta,
  ResultStatus,
  ValidationIssue,
} from "./decision/result.js";
export type { Rule, RuleOf } from "./decision/rule.js";
export type {
  DescribedRoute,
  ExplainFeature,
  Facade,
  Feature,
  FeatureCall,
  FeatureHost,
  FeatureOperation,
  FeatureReply,
  FeatureRequest,
  FeatureRoute,
  MetricLabels,
  MetricsCollectorPort,
  MetricsFeature,
  OpenAPIFeature,
  SecurityDescription,
  ServiceDescription,
} from "./http/feature.js";

export type { OverloadOptions } from "./http/guard.js";
export type { DecisionSetOptions, KnownOptions } from "./http/host-options.js";
export type { Reply } from "./http/reply.js";
export type {
  DecisionLog,
  EvaluatorOptions,
  RecordConditions,
  RecordingHost,
  RecordQuery,
} from "./service/evaluator-options.js";
export type {
  DecisionContract,
  DecisionFile,
  DecisionHost,
  DecisionSource,
  HeldSet,
  LoadedSet,
  ProfileSource,
  RecordChange,
  RecordOutcome,
  SetCandidate,
  SetComparison,
  SourceHost,
  SourceLoad,
  SourceWatch,
} from "./service/generation-source.js";
export type {
  EvaluationEvent,
  EvaluationObserver,
  EvaluationStart,
  EvaluationTrace,
  HookContext,
  Hooks,
  RecordEvent,
  ReplyEvent,
  ShadowEvent,
} from "./service/hooks.js";
export type { ProfileCall, ProfileOverride, ProfileResolver } from "./service/profiles.js";
export type {
  DecisionRecord,
  RecordedEvaluation,
  Recorder,
  RecordPayload,
  RecordStatus,
  RecordTicket,
  UnreadableRecord,
  UsedRecord,
} from "./service/records.js";
export type { Identity, Origin, RequestView, SelectedBy } from "./service/request-view.js";
export type { EvaluationCall } from "./service/run.js";
export { createEvaluator, type Evaluator } from "./service/service.js";
export type { ShadowPolicy, ShadowsOf } from "./service/shadow.js";
export type { Deprecation, VersionCall, VersionPolicy, VersionsOf } from "./service/version-policy.js";
export { stableBucket } from "./service/version-policy.js";
