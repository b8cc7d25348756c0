import "./request/request-decision.js";

export { createDecisionGuard } from "./create-decision-guard.js";
export { createDecisionMiddleware } from "./create-decision-middleware.js";
export { createDecisionRouter, type DecisionRouterOptions } from "./create-decision-router.js";
export type { DecisionRequestHandler } from "./decision-request-handler.js";
export type {
  BodyOptions,
  DecisionGuardOptions,
  DecisionMiddlewareOptions,
  DecisionOptions,
} from "./options.js";
