import "./options.js";

export {
  createDecisionHandler,
  createDecisionRoute,
  type DecisionRoute,
  type DecisionRouteOptions,
} from "./create-decision-handler.js";
export { createDecisionHook } from "./create-decision-hook.js";
export { type DecisionPluginOptions, decisionPlugin } from "./decision-plugin.js";
export type {
  DecisionHandler,
  DecisionHandlerOptions,
  DecisionHookOptions,
  DecisionOptions,
} from "./options.js";
