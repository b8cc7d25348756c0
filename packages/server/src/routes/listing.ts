import { describeDecision } from "@decern/core";
import type { Catalogue } from "@decern/core/tools";
import type { FastifyInstance } from "fastify";
import { CachedDocument } from "../replies/cached-document.js";

/** Serves `GET /decisions`: one entry for each id, which describes the default version. */
export function listingRoute(app: FastifyInstance, { decisions }: Catalogue): void {
  const listing = new CachedDocument(() => ({
    decisions: [...decisions.values()].map(({ standard }) => describeDecision(standard.decision)),
  }));
  app.get("/decisions", (request, reply) => listing.send(request, reply));
}
