import { DecernError, type OpenAPIFeature } from "@decern/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CachedDocument } from "../replies/cached-document.js";
import { openPage } from "../requests/route-config.js";
import { SwaggerFiles } from "./swagger-files.js";

/** The page's own files and requests, and nothing else. Swagger UI writes `style` attributes; scripts stay strict. */
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

/** Serves the OpenAPI document and Swagger UI. The document is built when it is first asked for. */
export function openapiRoutes(
  app: FastifyInstance,
  feature: OpenAPIFeature,
  build: () => Readonly<Record<string, unknown>>,
): void {
  let built: Readonly<Record<string, unknown>> | undefined;
  const toJSON = (): Readonly<Record<string, unknown>> => {
    built ??= build();
    return built;
  };
  // What @fastify/swagger serialises is what `toJSON` answers; the rest is there for its types.
  const document = { openapi: "3.0.3", info: { title: "", version: "" }, paths: {}, toJSON };
  const served = new CachedDocument(() => document);
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
    // Before Swagger UI's own handler, which would stream them.
    scope.addHook("preHandler", async (request, reply) => {
      if (request.routeOptions.url !== filesUrl) return undefined;
      await files.send(fileName(request.params), request, reply);
      return reply;
    });
    scope.addHook("onRoute", (route) => {
      // The page and its files say nothing of any decision; the document does.
      if (!/\/(json|yaml)$/.test(route.url)) route.config = { ...route.config, ...openPage };
    });
    scope.addHook("onSend", createLinkRewriter(path));
    // A path that leads out of the folder of the page's files is no file of the page. The rest is for the handler of all routes.
    scope.setErrorHandler<{ readonly statusCode?: number }>((error) => {
      throw error.statusCode === 403 ? new DecernError("ROUTE_NOT_FOUND") : error;
    });
    await scope.register(swagger.default, { mode: "static", specification: { document } });
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
