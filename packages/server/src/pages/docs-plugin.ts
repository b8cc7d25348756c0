import type { ProfileOverride } from "@decern/core";
import { type HostedVersion, tableReply } from "@decern/core/host";
import type { Catalogue } from "@decern/core/tools";
import type { DocsCatalogue, DocsLinks } from "@decern/pages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { runInSlices } from "../base/values.js";
import { JSON_TYPE, sendError } from "../reply/send.js";
import { missingDecision } from "../request/routing.js";
import { describeForDocs, fieldsForDocs, listForDocs } from "./describe-for-docs.js";
import { type Body, createBody, revalidate, sendBody } from "./page-body.js";
import { pageRoutes } from "./page-routes.js";

/** The options of {@link docsPlugin}. */
export interface DocsOptions {
  readonly catalogue: Catalogue;
  /** Whether callers may send a profile, and what becomes of it. */
  readonly profileOverride: ProfileOverride;
  /** Whether results are explained. */
  readonly explains: boolean;
  /** Whether the routes under `/docs/live` are served. */
  readonly live: boolean;
  /** Whether callers must authenticate. The page itself is open, but its data about decisions is not. */
  readonly secured: boolean;
  /** Where the service's other pages are. */
  readonly links: DocsLinks;
}

interface DecisionRequest {
  Params: { readonly id: string; readonly version?: string };
}

/** Serves the docs page at `/docs`, and its files and data under `/docs/`. */
export async function docsPlugin(app: FastifyInstance, options: DocsOptions): Promise<void> {
  const { catalogue, profileOverride, explains, live, secured, links } = options;
  let list: Body | undefined;
  const details = new Map<HostedVersion, Body>();
  let { profiles } = catalogue;

  pageRoutes(app, "/docs", "index.html");

  app.get("/docs/catalogue.json", async (request, reply) => {
    if (list === undefined) {
      const data: DocsCatalogue = {
        secured,
        profileOverride: profileOverride !== false,
        ...(profileOverride === "merge" ? { profileMerge: true } : {}),
        ...(explains ? { explains: true } : {}),
        ...(live ? { live: true } : {}),
        links,
        decisions: [...catalogue.decisions.values()].map(listForDocs),
      };
      list = createBody(JSON.stringify(data), JSON_TYPE);
    }
    return sendBody(request, reply, list, revalidate);
  });

  let fields: Promise<Body> | undefined;
  app.get("/docs/fields.json", async (request, reply) => {
    fields ??= runInSlices(fieldsForDocs(catalogue.decisions.values()), () => true).then((data) =>
      createBody(JSON.stringify(data), JSON_TYPE),
    );
    return sendBody(request, reply, await fields, revalidate);
  });

  const describe = (request: FastifyRequest<DecisionRequest>, reply: FastifyReply): FastifyReply => {
    const { id, version } = request.params;
    const hosted = catalogue.get(id);
    const served = version === undefined ? hosted?.standard : hosted?.versions.get(version);
    if (hosted === undefined || served === undefined) {
      const missing = missingDecision(catalogue, request.params) ?? tableReply("INTERNAL_ERROR");
      sendError(reply, missing);
      return reply;
    }
    // The page shows the host's profiles, which may have been replaced.
    if (profiles !== catalogue.profiles) {
      details.clear();
      profiles = catalogue.profiles;
    }
    let body = details.get(served);
    if (body === undefined) {
      body = createBody(JSON.stringify(describeForDocs(hosted, served, profiles)), JSON_TYPE);
      details.set(served, body);
    }
    return sendBody(request, reply, body, revalidate);
  };
  app.get<DecisionRequest>("/docs/decisions/:id", async (request, reply) => describe(request, reply));
  app.get<DecisionRequest>("/docs/decisions/:id/versions/:version", async (request, reply) =>
    describe(request, reply),
  );
}
