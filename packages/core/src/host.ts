export { requestIdFrom } from "./base/clock.js";
export { errorBody, tableReply, toErrorReply } from "./base/errors.js";
export { expandsTooFar, isUtf8Type, jsonText, mostExpanded, parseJsonText } from "./base/json-text.js";
export { asThrowable } from "./base/thrown.js";
export { copyResult } from "./decision/result.js";
export { RESULT_HTTP_STATUS } from "./decision/told.js";
export { Lists, type Places } from "./http/batch.js";
export { decisionSetRows } from "./http/decision-set-options.js";
export type { Exchange, GuardedExchange } from "./http/exchange.js";
export { createFeaturedService } from "./http/featured-service.js";
export { allows, guard, verdictProblems } from "./http/guard.js";
export { Handler, type ItemReply, Many, type OnResult } from "./http/handler.js";
export {
  type AnsweredRequest,
  type MountedRoute,
  type ReceivedRequest,
  wrongMethods,
} from "./http/mounted-route.js";
export { LoadGate, overloadKind } from "./http/overload.js";
export { decisionPath, endpointKind, matchesETag, normalizePrefix, prefixKind } from "./http/paths.js";
export type { Choice, SentProfile } from "./service/call.js";
export type { Catalogue } from "./service/catalogue.js";
export { createService, createSingleService } from "./service/create-service.js";
export { decisionRows, evaluatorRows } from "./service/evaluator-options.js";
export type { Target } from "./service/generation.js";
export { notifyObservers } from "./service/hooks.js";
export type { PartStatus } from "./service/part-loads.js";
export {
  createOriginReader,
  type RequestAccess,
  readIdentity,
  unknownOrigin,
} from "./service/request-view.js";
export type { Run } from "./service/run.js";
export type { Service } from "./service/service.js";
export type { Served, ServedVersion } from "./service/versions.js";
