import { DecernError, type Decision, type ProfileOverride } from "@decern/core";
import { type Served, type Service, tableReply } from "@decern/core/host";
import { runInSlices } from "@decern/core/tools";
import type { DocsCatalogue, DocsLinks } from "@decern/pages";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { oncePerGeneration, oncePerSet } from "../base/values.js";
import { JSON_TYPE, sendError } from "../reply/send.js";
import { missingDecision } from "../request/routing.js";
import { contentForDocs, describeForDocs, fieldsForDocs, listForDocs } from "./describe-for-docs.js";
import { type Body, compressedBody, createBody, revalidate, sendBody } from "./page-body.js";
import { pageRoutes } from "./page-routes.js";

/** The options of {@link docsPlugin}. */
export interface DocsOptions {
  readonly catalogue: Service["catalogue"];
  /** Whether callers may send a profile, and what becomes of it. */
  readonly profileOverride: ProfileOverride;
  /** Whether results are explained. */
  readonly explains: boolean;
  /** Whether the routes under `/docs/live` are served. */
  readonly live: boolean;
  /** Whether the host takes drafts of tables. */
  readonly publishes: boolean;
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
  const { catalogue, profileOverride, explains, live, publishes, secured, links } = options;
  pageRoutes(app, "/docs", "index.html");

  const listOf = oncePerSet(({ decisions }) => {
    const data: DocsCatalogue = {
      secured,
      profileOverride: profileOverride !== false,
      ...(profileOverride === "merge" ? { profileMerge: true } : {}),
      ...(explains ? { explains: true } : {}),
      ...(live ? { live: true } : {}),
      ...(publishes ? { publishes: true } : {}),
      links,
      decisions: [...decisions.values()].map(listForDocs),
    };
    return createBody(JSON.stringify(data), JSON_TYPE);
  });
  app.get("/docs/catalogue.json", async (request, reply) =>
    sendBody(request, reply, listOf(catalogue.current), revalidate),
  );

  const fieldsOf = oncePerSet(({ decisions }) =>
    runInSlices(fieldsForDocs(decisions.values()), () => true).then((data) =>
      createBody(JSON.stringify(data), JSON_TYPE),
    ),
  );
  app.get("/docs/fields.json", async (request, reply) =>
    sendBody(request, reply, await fieldsOf(catalogue.current), revalidate),
  );

  decisionRoutes(app, catalogue);
}

/** What the page shows of one decision. */
function decisionRoutes(app: FastifyInstance, catalogue: Service["catalogue"]): void {
  // The page shows the host's profiles, which may be replaced.
  const detailsOf = oncePerGeneration(() => new Map<Served["standard"], Body>());
  const find = (current: Service["catalogue"]["current"], { id, version }: DecisionRequest["Params"]) => {
    const served = current.get(id);
    const found = version === undefined ? served?.standard : served?.versions.get(version);
    return served === undefined || found === undefined ? undefined : { served, found };
  };
  const refuse = (
    current: Service["catalogue"]["current"],
    { params }: FastifyRequest<DecisionRequest>,
    reply: FastifyReply,
  ): FastifyReply => {
    sendError(reply, missingDecision(current, params) ?? tableReply("INTERNAL_ERROR"));
    return reply;
  };

  const describe = (request: FastifyRequest<DecisionRequest>, reply: FastifyReply): FastifyReply => {
    const { current } = catalogue;
    const known = find(current, request.params);
    if (known === undefined) return refuse(current, request, reply);
    const { served, found } = known;
    const details = detailsOf(current);
    let body = details.get(found);
    if (body === undefined) {
      body = createBody(JSON.stringify(describeForDocs(served, found, current)), JSON_TYPE);
      details.set(found, body);
    }
    return sendBody(request, reply, body, revalidate);
  };

  const contents = new WeakMap<Decision, Promise<Body>>();
  const contentOf = async (
    request: FastifyRequest<DecisionRequest>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { current } = catalogue;
    const decision = find(current, request.params)?.found.decision;
    if (decision === undefined) return refuse(current, request, reply);
    const content = contents.has(decision) ? undefined : contentForDocs(decision);
    if (content !== undefined) contents.set(decision, compressedBody(JSON.stringify(content), JSON_TYPE));
    const body = contents.get(decision);
    if (body === undefined) throw new DecernError("ROUTE_NOT_FOUND");
    return sendBody(request, reply, await body, revalidate);
  };
  for (const path of ["/docs/decisions/:id", "/docs/decisions/:id/versions/:version"]) {
    app.get<DecisionRequest>(path, async (request, reply) => describe(request, reply));
    app.get<DecisionRequest>(`${path}/content`, contentOf);
  }
}
