import { Handler } from "@decern/core/host";
import { authenticateCallers } from "../auth/authenticate.js";
import { batchRoutes } from "../batch/batch-routes.js";
import { StreamEnd } from "../batch/body-reader.js";
import { docsPlugin } from "../pages/docs-plugin.js";
import { publishRoutes } from "../records/publish-draft.js";
import { recordsPlugin } from "../records/records-plugin.js";
import { tellReplies } from "../reply/tell-replies.js";
import { admitRequests, docsPrefix, livePrefix } from "../request/admission.js";
import { takeJsonOnly } from "../request/body.js";
import { preflightRoute } from "../request/routing.js";
import { evaluationRoutes } from "../routes/evaluation.js";
import { featureRoutes } from "../routes/features.js";
import { healthRoutes } from "../routes/health.js";
import { listingRoute, schemaRoutes, versionsRoute } from "../routes/listing.js";
import { compressDocument, swaggerRoutes } from "../routes/openapi.js";
import type { ServerContext } from "./context.js";

/** A part of a server, which may add hooks and routes. */
interface ServerPart {
  readonly name: string;
  /** @default always */
  isOn?(server: ServerContext): boolean;
  install(server: ServerContext): void;
}

/**
 * What a server consists of. The order of the list is the order of hooks: what costs least comes first, and who calls is found
 * out before a body is read.
 */
export const serverParts: readonly ServerPart[] = [
  {
    name: "replies",
    install({ app, replied, settings }) {
      if (replied !== undefined) tellReplies(app, replied, settings.authenticate !== undefined);
    },
  },
  {
    // Framing, headers, closing and overload, then what a path names.
    name: "admission",
    install({ app, headers, closing, load, service, hooks }) {
      admitRequests(app, { headers, closing: closing.signal, load, catalogue: service.catalogue, hooks });
      app.addHook("onClose", () => service.stop());
    },
  },
  {
    name: "authentication",
    install({ app, settings: { authenticate, hookTimeoutMs } }) {
      app.decorateRequest("decernIdentity", undefined);
      if (authenticate !== undefined) authenticateCallers(app, authenticate, hookTimeoutMs);
    },
  },
  {
    name: "cors",
    isOn: ({ settings }) => settings.cors,
    install: ({ app }) => preflightRoute(app),
  },
  {
    name: "health",
    install({ app, closing, service, settings: { log, docs } }) {
      healthRoutes(app, { catalogue: service.catalogue, log, closing: closing.signal, docs });
    },
  },
  {
    name: "decisions",
    install({ app, service }) {
      app.register(async (scope) => {
        takeJsonOnly(scope);
        listingRoute(scope, service.catalogue);
        schemaRoutes(scope, service.catalogue);
        versionsRoute(scope, service.catalogue);
      });
    },
  },
  {
    name: "evaluation",
    install({ app, hooks, headers, load, service, settings: { profileOverride, docs, liveDocs } }) {
      const handler = new Handler(service);
      app.register(async (scope) => {
        takeJsonOnly(scope);
        const options = { profileOverride, load, headers, hooks };
        evaluationRoutes(scope, { ...options, handler });
        if (docs) evaluationRoutes(scope, { ...options, prefix: docsPrefix, handler: handler.tracing() });
        if (liveDocs) {
          const unseen = handler.tracing(service.unseen());
          evaluationRoutes(scope, { ...options, prefix: livePrefix, handler: unseen });
        }
      });
    },
  },
  {
    name: "batches",
    install({ app, load, service, servers: { connections }, closing, settings }) {
      const { profileOverride, maxBatch, bodyLimit, requestTimeoutMs: idleMs } = settings;
      const streamEnd = new StreamEnd(closing.signal, settings.closeTimeoutMs / 2);
      const limits = { maxBatch, bodyLimit, idleMs, streamEnd };
      app.register(async (scope) => {
        batchRoutes(scope, { service, profileOverride, load, connections, ...limits });
      });
    },
  },
  {
    name: "compression",
    install({ app, settings: { openapi } }) {
      if (openapi !== undefined) compressDocument(app, [openapi.endpoint, `${openapi.swaggerEndpoint}/json`]);
    },
  },
  {
    // The server's own, such as metrics, and those of the host: all come through the same port.
    name: "features",
    install({ app, routes, load, settings: { logger, profileOverride } }) {
      featureRoutes(app, routes, { logger, profileOverride, load });
    },
  },
  {
    name: "swagger",
    isOn: ({ settings }) => settings.openapi?.swaggerUI === true,
    install({ app, document, settings: { openapi, docs } }) {
      if (openapi !== undefined) swaggerRoutes(app, openapi.swaggerEndpoint, document, docs);
    },
  },
  {
    name: "docs",
    isOn: ({ settings }) => settings.docs,
    install({ app, service, settings }) {
      const { profileOverride, openapi, explain, liveDocs, authenticate, publish } = settings;
      app.register(docsPlugin, {
        catalogue: service.catalogue,
        profileOverride,
        explains: explain !== undefined,
        live: liveDocs,
        publishes: publish !== undefined,
        secured: authenticate !== undefined,
        links: {
          ...(openapi === undefined ? {} : { openapi: openapi.endpoint.slice(1) }),
          ...(openapi?.swaggerUI === true ? { swagger: openapi.swaggerEndpoint.slice(1) } : {}),
          ...(settings.records === false ? {} : { records: "records" }),
        },
      });
    },
  },
  {
    // It requires a log.
    name: "records",
    isOn: ({ settings: { records, log } }) => records !== false && log !== undefined,
    install({ app, service, settings: { log, logger, publish, records, hookTimeoutMs: timeoutMs } }) {
      const access = typeof records === "function" ? records : undefined;
      if (log === undefined) return;
      app.register(recordsPlugin, { catalogue: service.catalogue, log, logger, access, timeoutMs });
      if (publish !== undefined) app.register(publishRoutes, { publish, logger, access, timeoutMs });
    },
  },
];
