export { isRequestId, requestIdFrom } from "./base/clock.js";
export { type ErrorReply, errorBody, tableReply, toErrorReply } from "./base/errors.js";
export { expandsTooFar, isUtf8Type, jsonText, mostExpanded, parseJsonText } from "./base/json-text.js";
export { loggerOf } from "./base/logger.js";
export { asThrowable } from "./base/thrown.js";
export { copyResult } from "./decision/result.js";
export { RESULT_HTTP_STATUS } from "./decision/told.js";
export { BatchRun, type ItemReply, Turns } from "./http/batch.js";
export { DecisionHandlers, type DecisionReader } from "./http/decision-handlers.js";
export { decisionSetOptionKinds } from "./http/decision-set-options.js";
export type { Exchange, GuardedExchange } from "./http/exchange.js";
export type { DescribedRoute, SecurityDescription, ServiceDescription } from "./http/features.js";
export { type AccessCheck, type AccessVerdict, createAccessCheck, guard } from "./http/guard.js";
export {
  createCallHandler,
  createRequestHandler,
  type RequestHandler,
  type RequestReader,
} from "./http/handler.js";
export { replyTogether } from "./http/host-callbacks.js";
export {
  type AnsweredRequest,
  type MountedRoute,
  mountFacades,
  type ReceivedRequest,
  wrongMethods,
} from "./http/mount-facades.js";
export { LoadGate, overloadKind, Places } from "./http/overload.js";
export { decisionPath, endpointKind, matchesETag, normalizePrefix, prefixKind } from "./http/paths.js";
export type { DecisionReply, ReplyEncoder } from "./http/reply.js";
export { tracingReplyEncoder } from "./http/reply.js";
export type { CallReader } from "./service/call.js";
export { type CallOrigin, type ChosenCall, createOriginReader, unknownOrigin } from "./service/call.js";
export { CallChooser, type ProfilePolicy } from "./service/choice.js";
export { evaluatorOptionKinds } from "./service/evaluator-options.js";
export { notifyObservers } from "./service/hooks.js";
export { EvaluationPipeline } from "./service/pipeline.js";
export { decisionOptionKinds, prepareCatalogue, prepareDecision } from "./service/prepare.js";
export type { SentProfile } from "./service/profile-source.js";
export type { RequestAccess } from "./service/request-view.js";
export { readIdentity } from "./service/request-view.js";
export type { HostedDecision, HostedVersion } from "./service/versions.js";
