import "./options.js";

export { createDecisionGuard } from "./create-decision-guard.js";
export { createDecisionMiddleware } from "./create-decision-middleware.js";
export { createDecisionRouter, type DecisionRouterOptions } from "./create-decision-router.js";
export type {
  BodyOptions,
  DecisionGuardOptions,
  DecisionMiddlewareOptions,
  DecisionOptions,
  DecisionRequestHandler,
} from "./options.js";
