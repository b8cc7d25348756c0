export { type ApiKeysOptions, apiKeys } from "./api-keys.js";
export type { Authenticate } from "./authenticate.js";
export { createServer } from "./create-server.js";
export type { DecisionServer } from "./decision-server.js";
export type { DisabledFeature, ListenOptions, ServerOptions } from "./options.js";
export type { OverloadOptions } from "./overload.js";
export type { RouteConfig } from "./route-config.js";
