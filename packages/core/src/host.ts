export { isRequestId, requestIdFrom } from "./base/clock.js";
export { type ErrorReply, errorBody, tableReply, toErrorReply } from "./base/errors.js";
export { expandsTooFar, isUtf8Type, jsonText, mostExpanded, parseJsonText } from "./base/json-text.js";
export { loggerOf } from "./base/logger.js";
export { asThrowable } from "./base/thrown.js";
export { copyResult } from "./decision/result.js";
export { RESULT_HTTP_STATUS } from "./decision/told.js";
export { Lists, type Places } from "./http/batch.js";
export { decisionSetRows } from "./http/decision-set-options.js";
export type { Exchange, GuardedExchange, HostRequest } from "./http/exchange.js";
export type { DescribedRoute, SecurityDescription, ServiceDescription } from "./http/features.js";
export { allows, guard, verdictProblems } from "./http/guard.js";
export { Handler, type OnResult } from "./http/handler.js";
export {
  type AnsweredRequest,
  type AskedDecision,
  featureProblems,
  type MountedRoute,
  mountFeatures,
  type ReceivedRequest,
  withFeatureObservers,
  wrongMethods,
} from "./http/mount-features.js";
export { LoadGate, overloadKind } from "./http/overload.js";
export { decisionPath, endpointKind, matchesETag, normalizePrefix, prefixKind } from "./http/paths.js";
export { contentOf, envelope, Replies, type Reply, traced } from "./http/reply.js";
export {
  type Choice,
  createOriginReader,
  type Origin,
  type SentProfile,
  unknownOrigin,
} from "./service/call.js";
export type { Catalogue, MissingCode, Target } from "./service/catalogue.js";
export { unchosen } from "./service/choice.js";
export { decisionKind, decisionRows, evaluatorRows } from "./service/evaluator-options.js";
export { notifyObservers } from "./service/hooks.js";
export { Many } from "./service/many.js";
export type { RequestAccess } from "./service/request-view.js";
export { readIdentity } from "./service/request-view.js";
export type { Form, Run } from "./service/run.js";
export type { Runner } from "./service/runner.js";
export { createService, createSingleService, type Service } from "./service/service.js";
export type { Served, ServedVersion } from "./service/versions.js";
