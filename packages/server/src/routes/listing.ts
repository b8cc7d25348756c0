import { type Decision, describeDecision } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { CachedDocument } from "../replies/cached-document.js";

/** Serves `GET /decisions`. */
export function listingRoute(app: FastifyInstance, catalogue: ReadonlyMap<string, Decision>): void {
  const listing = new CachedDocument(() => ({ decisions: [...catalogue.values()].map(describeDecision) }));
  app.get("/decisions", (request, reply) => listing.send(request, reply));
}
