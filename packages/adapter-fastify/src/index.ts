import "./request/request-decision.js";

export { createDecisionHandler } from "./create-decision-handler.js";
export { createDecisionHook } from "./create-decision-hook.js";
export {
  createDecisionRoute,
  type DecisionRoute,
  type DecisionRouteOptions,
} from "./create-decision-route.js";
export type { DecisionHandler } from "./decision-handler.js";
export { type DecisionPluginOptions, decisionPlugin } from "./decision-plugin.js";
export type { DecisionHandlerOptions, DecisionHookOptions, DecisionOptions } from "./options.js";
