import { DecernError, type OpenAPIFeature } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { assetRoute } from "../docs/page-routes.js";
import { CachedDocument } from "../replies/cached-document.js";
import { openPage } from "../requests/route-config.js";
import { LazyDocument } from "./lazy-document.js";
import { SwaggerFiles } from "./swagger-files.js";
import { SwaggerPage, swaggerPolicy } from "./swagger-page.js";

/**
 * Serves the OpenAPI document and Swagger UI. The document is built on the first request for it.
 *
 * @param docs - whether the page of Swagger UI may link to the docs page
 */
export function openapiRoutes(
  app: FastifyInstance,
  feature: OpenAPIFeature,
  docs: boolean,
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
    const page = new SwaggerPage(path, docs);
    const filesUrl = `${path}/static/*`;
    // Before Swagger UI's own handlers, which would send their page, and stream the files from disk.
    scope.addHook("preHandler", async (request, reply) => {
      const { url } = request.routeOptions;
      if (url === filesUrl) await files.send(fileName(request.params), request, reply);
      else if (url === path || url === `${path}/`) await page.send(request, reply);
      else return undefined;
      return reply;
    });
    assetRoute(scope, path, page.files);
    scope.addHook("onRoute", (route) => {
      // The page and its files reveal nothing about decisions. The document does.
      if (!/\/(json|yaml)$/.test(route.url)) route.config = { ...route.config, ...openPage };
    });
    // A path that leads out of the page's folder does not exist. Every other error goes to the handler of all routes.
    scope.setErrorHandler<{ readonly statusCode?: number }>((error) => {
      throw error.statusCode === 403 ? new DecernError("ROUTE_NOT_FOUND") : error;
    });
    await scope.register(swagger.default, {
      mode: "static",
      specification: { document: new LazyDocument(buildOnce) },
    });
    await scope.register(swaggerUI.default, { routePrefix: path, staticCSP: swaggerPolicy });
  });
}

function fileName(params: unknown): string {
  return typeof params === "object" && params !== null && "*" in params ? String(params["*"]) : "";
}
