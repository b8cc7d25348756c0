export { isThenable, withDeadline } from "./awaitable.js";
export { readable } from "./copies/readable.js";
export { createCatalogue } from "./definition/catalogue.js";
export { defaultProfile } from "./definition/default-profile.js";
export { systemClock } from "./evaluation/clock.js";
export { EvaluationPipeline } from "./evaluation/evaluation-pipeline.js";
export { evaluatorOptionKinds } from "./evaluation/evaluator-option-kinds.js";
export { consoleLogger, neverThrowing } from "./evaluation/logger.js";
export { isRequestId, requestIdFrom } from "./evaluation/request-id.js";
export { type AccessCheck, type AccessVerdict, createAccessCheck } from "./host/access-check.js";
export type { DecisionReply } from "./host/decision-reply.js";
export type { Exchange, GuardedExchange } from "./host/exchange.js";
export { guard } from "./host/guard.js";
export { hasForbiddenKey, parseJsonBody } from "./host/json-body.js";
export {
  type ErrorReply,
  errorBody,
  RESULT_HTTP_STATUS,
  tableReply,
  toErrorReply,
} from "./host/outcome-table.js";
export { decisionPath, endpointKind, normalizePrefix, prefixKind } from "./host/paths.js";
export { feature, type SecurityDescription, type ServiceDescription } from "./host/ports.js";
export { prepareCatalogue } from "./host/prepare-catalogue.js";
export { decisionOptionKinds, prepareDecision } from "./host/prepare-decision.js";
export { replyTogether } from "./host/reply-together.js";
export {
  createRequestHandler,
  type RequestHandler,
  type RequestReader,
} from "./host/request-handler.js";
export { respond } from "./host/respond.js";
export { asThrowable } from "./host/throwable.js";
export { checkOptions, type OptionRules, optionProblems } from "./options/check-options.js";
export { type OptionKind, type OptionTable, optionKinds } from "./options/option-kinds.js";
