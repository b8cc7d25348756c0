export type { Awaitable } from "./awaitable.js";
export type { OverloadOptions } from "./batch/overload-options.js";
export type {
  BulkBacklog,
  BulkItem,
  BulkResult,
  BulkSource,
  BulkStatus,
  TakenBatch,
} from "./bulk/bulk-source.js";
export type { CommittedBatch, WorkerObserver } from "./bulk/worker-observer.js";
export type { DecisionSetOptions, KnownOptions } from "./catalogue/decision-set-options.js";
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
} from "./definition/decision.js";
export { type DecisionDefinition, defineDecision } from "./definition/define-decision.js";
export { describeDecision, extractDecisionSchema, toJsonSchema } from "./definition/describe.js";
export type { InputFor, MappedInput, ProfileFor, ProfileInput } from "./definition/given.js";
export type { Rule, RuleOf } from "./definition/rule.js";
export { withProfile } from "./definition/with-profile.js";
export { DecernError, type DecernErrorOptions, ERRORS, type ErrorCode, type Problem } from "./errors.js";
export type { Clock } from "./evaluation/clock.js";
export { createEvaluator, type Evaluator } from "./evaluation/create-evaluator.js";
export { type EvaluateOptions, evaluate } from "./evaluation/evaluate.js";
export { type EvaluateManyOptions, evaluateMany } from "./evaluation/evaluate-many.js";
export type { EvaluationCall } from "./evaluation/evaluation-call.js";
export type { EvaluatorOptions } from "./evaluation/evaluator-options.js";
export type { Logger } from "./evaluation/logger.js";
export type {
  Facade,
  FacadeCall,
  FacadeEvaluator,
  FacadeHeaders,
  FacadeHost,
  FacadeReply,
  FacadeRequest,
  FacadeRoute,
} from "./facades/facade.js";
export type { FacadeOperation } from "./facades/facade-operation.js";
export type { HookContext, Hooks } from "./hooks/hooks.js";
export type {
  EvaluationEvent,
  EvaluationObserver,
  EvaluationStart,
  EvaluationTrace,
  RecordEvent,
  ReplyEvent,
  ShadowEvent,
} from "./hooks/observer.js";
export type { Identity, RequestView } from "./hooks/request-view.js";
export type { MetricLabels, MetricsCollectorPort, MetricsFeature, OpenAPIFeature } from "./host/ports.js";
export type { LoadProfiles, ProfileSet } from "./profiles/custom-loader.js";
export type { ProfileDocument } from "./profiles/profile-document.js";
export type { ProfileLoadContext } from "./profiles/profile-loader.js";
export type { ProfileCall, ProfileOverride, ProfileResolver } from "./profiles/profile-resolver.js";
export type { ProfileLoad, ProfileSource, ProfileWatch, ProfileWatcher } from "./profiles/profile-source.js";
export { watchProfiles } from "./profiles/watch-profiles.js";
export type { WakeProfiles, WatchProfilesOptions } from "./profiles/watch-profiles-options.js";
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
export type {
  DecisionLog,
  RecordingHost,
  RecordQuery,
  Verification,
  VerificationProblem,
  VerifiedChain,
  VerifyOptions,
} from "./records/decision-log.js";
export type {
  DecisionRecord,
  RecordPayload,
  RecordStatus,
  SelectedBy,
  UsedRecord,
} from "./records/decision-record.js";
export type { UnreadableRecord } from "./records/record-problem.js";
export type {
  Erasure,
  RecordBatch,
  RecordConditions,
  RecordStore,
  RecordWriter,
  SealedRecord,
  StoredChain,
  StoredQuery,
  StoredRecord,
  StoreStats,
} from "./records/record-store.js";
export type { RecordedEvaluation, Recorder, RecordTicket } from "./records/recorder.js";
export type { JsonSchema } from "./schema/json-schema.js";
export type { InferEmitted, InferInput, InferOutput, Schema } from "./schema/standard-schema.js";
export type { ShadowPolicy, ShadowsOf } from "./versions/shadow.js";
export { stableBucket } from "./versions/stable-bucket.js";
export type { Deprecation, VersionCall, VersionPolicy, VersionsOf } from "./versions/version-policy.js";
