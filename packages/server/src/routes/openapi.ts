import { DecernError, type OpenAPIFeature } from "@decern/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CachedDocument } from "../replies/cached-document.js";
import { openPage } from "../requests/route-config.js";
import { LazyDocument } from "./lazy-document.js";
import { SwaggerFiles } from "./swagger-files.js";

/** Allows the page's own files and requests only. Swagger UI writes `style` attributes, so styles may be inline. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the OpenAPI document and Swagger UI. The document is built on the first request for it. */
export function openapiRoutes(
  app: FastifyInstance,
  feature: OpenAPIFeature,
  build: () => Readonly<Record<string, unknown>>,
): void {
  let built: Readonly<Record<string, unknown>> | undefined;
  const buildOnce = (): Readonly<Record<string, unknown>> => {
    built ??= build();
    return built;
  };
  const served = new CachedDocument(buildOnce);
  app.get(feature.endpoint, (request, reply) => served.send(request, reply));
  if (!feature.swaggerUI) return;
  app.register(async (scope) => {
    const [swagger, swaggerUI, files] = await Promise.all([
      import("@fastify/swagger"),
      import("@fastify/swagger-ui"),
      SwaggerFiles.find(),
    ]);
    const path = feature.swaggerEndpoint;
    const filesUrl = `${path}/static/*`;
    // Before Swagger UI's own handler, which would stream the files from disk.
    scope.addHook("preHandler", async (request, reply) => {
      if (request.routeOptions.url !== filesUrl) return undefined;
      await files.send(fileName(request.params), request, reply);
      return reply;
    });
    scope.addHook("onRoute", (route) => {
      // The page and its files reveal nothing about decisions. The document does.
      if (!/\/(json|yaml)$/.test(route.url)) route.config = { ...route.config, ...openPage };
    });
    scope.addHook("onSend", createLinkRewriter(path));
    // A path that leads out of the page's folder does not exist. Every other error goes to the handler of all routes.
    scope.setErrorHandler<{ readonly statusCode?: number }>((error) => {
      throw error.statusCode === 403 ? new DecernError("ROUTE_NOT_FOUND") : error;
    });
    await scope.register(swagger.default, {
      mode: "static",
      specification: { document: new LazyDocument(buildOnce) },
    });
    await scope.register(swaggerUI.default, { routePrefix: path, staticCSP: pagePolicy });
  });
}

function fileName(params: unknown): string {
  return typeof params === "object" && params !== null && "*" in params ? String(params["*"]) : "";
}

/** Without a trailing slash the page's links would be absolute, and wrong behind a path prefix. */
function createLinkRewriter(path: string) {
  const absolute = `="${path}/static/`;
  const relative = `="${path.slice(path.lastIndexOf("/") + 1)}/static/`;
  return async (_request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const isPage =
      typeof payload === "string" && String(reply.getHeader("content-type")).startsWith("text/html");
    return isPage ? payload.replaceAll(absolute, relative) : payload;
  };
}
