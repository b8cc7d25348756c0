export type { OverloadOptions } from "@decern/core";
export { type ApiKeysOptions, apiKeys } from "./auth/api-keys.js";
export type { Authenticate, RecordsAccess } from "./auth/authenticate.js";
export { createServer } from "./create-server.js";
export type { DecisionServer } from "./lifecycle/decision-server.js";
export type { DisabledFeature, ListenOptions, ServerOptions } from "./options/options.js";
export type { DocsPageOptions, PublishDraft, PublishedDraft, TableDraft } from "./pages/drafts.js";
export type { RouteConfig } from "./request/routing.js";
