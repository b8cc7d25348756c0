import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import type { ServerOptions } from "@decern/server";
import type { DecisionModule } from "./load-module.js";

/** Options of the server of a module: with metrics and an OpenAPI document, unless it says otherwise. */
export function serverOptions({ decisions, profiles, versions, server }: DecisionModule): ServerOptions {
  return {
    decisions,
    metrics: metrics({ enabled: true }),
    openapi: openapi({ enabled: true }),
    ...(profiles === undefined ? {} : { profiles }),
    ...(versions === undefined ? {} : { versions }),
    ...server,
  };
}
