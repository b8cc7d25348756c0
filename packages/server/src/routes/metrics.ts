import type { MetricsFeature } from "@decern/core";
import type { FastifyInstance } from "fastify";

/** Serves metrics in the format that the scraper requests. */
export function metricsRoute(app: FastifyInstance, feature: MetricsFeature, open: boolean): void {
  app.get(feature.endpoint, { config: { decern: { open, vital: true } } }, (request, reply) => {
    const { contentType, body } = feature.render(request.headers.accept);
    reply.header("content-type", contentType).send(body);
  });
}
