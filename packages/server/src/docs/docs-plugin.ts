import type { Decision } from "@decern/core";
import type { FastifyInstance } from "fastify";

/** What the docs page is told. */
export interface DocsOptions {
  readonly catalogue: ReadonlyMap<string, Decision>;
  readonly profileOverride: boolean;
  readonly secured: boolean;
}

/** Serves `/docs`. */
export async function docsPlugin(app: FastifyInstance, options: DocsOptions): Promise<void> {
  // Ids are made of unreserved characters only, and so need no escaping.
  const items = [...options.catalogue.keys()].map(
    (id) => `<li><a href="decisions/${id}/schema">${id}</a></li>`,
  );
  const page = `<!doctype html><html lang="en"><title>Decisions</title><h1>Decisions</h1><ul>${items.join("")}</ul></html>`;
  app.get("/docs", (_request, reply) => {
    reply.header("content-type", "text/html; charset=utf-8").send(page);
  });
}
