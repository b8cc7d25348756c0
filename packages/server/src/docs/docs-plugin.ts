import { DecernError, type ProfileOverride } from "@decern/core";
import { type Catalogue, type HostedVersion, tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { matchesETag } from "../replies/etag.js";
import { JSON_TYPE, sendError } from "../replies/send.js";
import { missingDecision } from "../requests/missing-decision.js";
import { openPage } from "../requests/route-config.js";
import { describeForDocs, listForDocs } from "./describe-for-docs.js";
import type { DocsCatalogue } from "./docs-data.js";
import { type DocsFiles, readDocsFiles } from "./docs-files.js";
import { DOCS_HEADERS } from "./docs-headers.js";
import { acceptsGzip, type Body, createBody } from "./encoded-body.js";

/** The options of {@link docsPlugin}. */
export interface DocsOptions {
  readonly catalogue: Catalogue;
  /** Whether callers may send a profile, and what becomes of it. */
  readonly profileOverride: ProfileOverride;
  /** Whether callers must authenticate. The page itself is open, but its data about decisions is not. */
  readonly secured: boolean;
}

interface DecisionRequest {
  Params: { readonly id: string; readonly version?: string };
}

/** File names carry a hash of their content. */
const forever = "public, max-age=31536000, immutable";
const revalidate = "no-cache";

/**
 * Serves the docs page at `/docs`, and its files and data under `/docs/`. All URLs are relative, so the page works behind
 * any prefix.
 */
export async function docsPlugin(app: FastifyInstance, options: DocsOptions): Promise<void> {
  const { catalogue, profileOverride, secured } = options;
  let files: Promise<DocsFiles> | undefined;
  let list: Body | undefined;
  const details = new Map<HostedVersion, Body>();
  let { profiles } = catalogue;

  const page = (): Promise<DocsFiles> => {
    files ??= readDocsFiles().catch((error: unknown) => {
      files = undefined;
      throw error;
    });
    return files;
  };

  app.get("/docs", { config: openPage }, async (request, reply) =>
    send(request, reply, (await page()).html, revalidate),
  );

  // The page's relative URLs only work on the path without the slash.
  app.get("/docs/", { config: openPage }, async (_request, reply) =>
    reply.headers(DOCS_HEADERS).redirect("../docs", 308),
  );

  app.get<{ Params: { name: string } }>(
    "/docs/assets/:name",
    { config: openPage },
    async (request, reply) => {
      const asset = (await page()).assets.get(request.params.name);
      if (asset === undefined) throw new DecernError("ROUTE_NOT_FOUND");
      return send(request, reply, asset, forever);
    },
  );

  app.get("/docs/catalogue.json", async (request, reply) => {
    if (list === undefined) {
      const data: DocsCatalogue = {
        secured,
        profileOverride: profileOverride !== false,
        ...(profileOverride === "merge" ? { profileMerge: true } : {}),
        decisions: [...catalogue.decisions.values()].map(listForDocs),
      };
      list = createBody(JSON.stringify(data), JSON_TYPE);
    }
    return send(request, reply, list, revalidate);
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
    return send(request, reply, body, revalidate);
  };
  app.get<DecisionRequest>("/docs/decisions/:id", async (request, reply) => describe(request, reply));
  app.get<DecisionRequest>("/docs/decisions/:id/versions/:version", async (request, reply) =>
    describe(request, reply),
  );
}

function send(request: FastifyRequest, reply: FastifyReply, body: Body, cacheControl: string): FastifyReply {
  const compressed = acceptsGzip(request.headers["accept-encoding"]);
  const { content, etag } = compressed ? body.gzip : body.plain;
  const vary = reply.getHeader("vary");
  reply.headers(DOCS_HEADERS).headers({
    "cache-control": cacheControl,
    etag,
    vary: vary === undefined ? "accept-encoding" : `${vary}, accept-encoding`,
  });
  if (matchesETag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (compressed) reply.header("content-encoding", "gzip");
  return reply.type(body.contentType).send(content);
}
