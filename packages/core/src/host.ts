export { type AccessCheck, type AccessVerdict, createAccessCheck } from "./access/access-check.js";
export { guard } from "./access/guard.js";
export { isThenable } from "./awaitable.js";
export { BatchRun, type ItemReply } from "./batch/batch-run.js";
export { LoadGate } from "./batch/load-gate.js";
export { overloadKind } from "./batch/overload-kind.js";
export { Places } from "./batch/places.js";
export { Turns } from "./batch/turns.js";
export { CallChooser, type ProfilePolicy } from "./catalogue/call-chooser.js";
export { Catalogue, createCatalogue } from "./catalogue/catalogue.js";
export { DecisionHandlers, type DecisionReader } from "./catalogue/decision-handlers.js";
export { decisionSetOptionKinds } from "./catalogue/decision-set-options.js";
export { missingProfile } from "./catalogue/missing-profile.js";
export { prepareCatalogue } from "./catalogue/prepare-catalogue.js";
export { canonicalForm, canonicalJson, canonicalParsed } from "./copies/canonical-json.js";
export { copyResult } from "./copies/copy-result.js";
export { equalsJson } from "./copies/equals-json.js";
export { deepFreeze } from "./copies/freeze.js";
export { readable } from "./copies/readable.js";
export { withDeadline } from "./deadline.js";
export { type InputView, isDecision, program } from "./definition/decision.js";
export { defaultProfile } from "./definition/default-profile.js";
export { withInputView } from "./definition/with-input-view.js";
export { systemClock } from "./evaluation/clock.js";
export { EvaluationPipeline } from "./evaluation/evaluation-pipeline.js";
export { evaluatorOptionKinds } from "./evaluation/evaluator-option-kinds.js";
export { consoleLogger, loggerOf, neverThrowing } from "./evaluation/logger.js";
export { isSameJson, isSameOutcome, type Outcome, outcomeOf } from "./evaluation/outcome.js";
export { probe } from "./evaluation/probe.js";
export { type EarlierCall, type Reevaluated, reevaluate } from "./evaluation/reevaluate.js";
export { isRequestId, requestIdFrom } from "./evaluation/request-id.js";
export { explainCall } from "./explain/explain-call.js";
export type { Band, Bands, Explanation, FieldExplanation, Flip } from "./explain/explanation.js";
export { listOf, memberOf, schemaNodes } from "./explain/schema-nodes.js";
export type { DescribedRoute } from "./facades/facade-operation.js";
export { mountFacades } from "./facades/mount-facades.js";
export {
  type AnsweredRequest,
  type MountedRoute,
  type ReceivedRequest,
  wrongMethods,
} from "./facades/mounted-route.js";
export { notifyObservers } from "./hooks/notify-observers.js";
export { createCallHandler, type RequestHandler } from "./host/call-handler.js";
export type { CallReader } from "./host/call-reader.js";
export { type CallOrigin, type ChosenCall, unknownOrigin } from "./host/chosen-call.js";
export type { DecisionReply, ReplyEncoder } from "./host/decision-reply.js";
export type { Exchange, GuardedExchange } from "./host/exchange.js";
export { asThrowable } from "./host/host-error.js";
export { hasForbiddenKey, isUtf8Type, jsonText, parseJsonBody, parseJsonText } from "./host/json-body.js";
export { matchesETag } from "./host/matches-etag.js";
export {
  type ErrorReply,
  errorBody,
  RESULT_HTTP_STATUS,
  tableReply,
  toErrorReply,
} from "./host/outcome-table.js";
export { decisionPath, endpointKind, normalizePrefix, prefixKind } from "./host/paths.js";
export {
  feature,
  type SecurityDescription,
  type ServiceDescription,
} from "./host/ports.js";
export { decisionOptionKinds, prepareDecision } from "./host/prepare-decision.js";
export { replyTogether } from "./host/reply-together.js";
export { createRequestHandler, type RequestReader } from "./host/request-handler.js";
export { tracingReplyEncoder } from "./host/tracing-reply-encoder.js";
export { FileLock } from "./locks/file-lock.js";
export { checkOptions, type OptionRules, optionProblems } from "./options/check-options.js";
export { type OptionKind, type OptionTable, optionKinds } from "./options/option-kinds.js";
export type { RequestAccess } from "./origin/host-request-view.js";
export { readIdentity } from "./origin/identity.js";
export { createOriginReader } from "./origin/origin-reader.js";
export { type ProfileDocument, readProfileDocument } from "./profiles/profile-document.js";
export { parseProfileKey } from "./profiles/profile-key.js";
export type { SentProfile } from "./profiles/profile-resolver.js";
export { isProfileSource, profileSource } from "./profiles/profile-source.js";
export { compactText } from "./program/compact-text.js";
export { expandsTooFar, jsonSize, mostExpanded } from "./program/json-size.js";
export type { Probed, ProbedRule } from "./program/probed.js";
export { erasureLine } from "./records/erasure-line.js";
export { recordProblem } from "./records/record-problem.js";
export { lacksOwnProfile, profilePointer, withOwnProfile } from "./records/shared-profile.js";
export type { HostedDecision, HostedVersion } from "./versions/hosted-decision.js";
