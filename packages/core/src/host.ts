export { errorBody, tableReply, toErrorReply } from "./base/errors.js";
export { asThrowable } from "./base/faults.js";
export {
  expandsTooFar,
  hasForbiddenKey,
  isUtf8Type,
  mostExpanded,
  parseJsonBody,
  parseJsonText,
} from "./base/json.js";
export { copyResult } from "./decision/result.js";
export { Lists } from "./http/batch.js";
export { createFeaturedService } from "./http/featured-service.js";
export { allows, guard, LoadGate, overloadKind, verdictProblems } from "./http/guard.js";
export { Handler, Many } from "./http/handler.js";
export { decisionPath, decisionSetRows, endpointKind, matchesETag, prefixKind } from "./http/host-options.js";
export { type MountedRoute, wrongMethods } from "./http/mounted-route.js";
export type { GuardedExchange } from "./http/reply.js";
export { createService, createSingleService } from "./service/create-service.js";
export { decisionRows } from "./service/evaluator-options.js";
export type { Target } from "./service/generation.js";
export { notifyObservers } from "./service/hooks.js";
export { createOriginReader, readIdentity, requestIdFrom } from "./service/request-view.js";

export type { Run, SentProfile } from "./service/run.js";
export type { Service } from "./service/service.js";
export type { Served } from "./service/versions.js";
