import { type Decision, describeDecision, extractDecisionSchema, type JsonSchema } from "@decern/core";
import { type Served, type Service, tableReply } from "@decern/core/host";
import { anyResultSchema, mapSubschemas } from "@decern/core/schema";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Generation, oncePerGeneration, oncePerSet } from "../base/values.js";
import { datesOf } from "../pages/describe-for-docs.js";
import { CachedDocument, sendError } from "../reply/send.js";
import { missingDecision } from "../request/routing.js";

/**
 * Serves `GET /decisions`: one entry for each id, which describes the default version, and the sets that sources have loaded.
 */
export function listingRoute(app: FastifyInstance, catalogue: Service["catalogue"]): void {
  const listingOf = oncePerGeneration(
    ({ decisions, revisions }) =>
      new CachedDocument(() => ({
        decisions: [...decisions.values()].map(({ standard }) => describeDecision(standard.decision)),
        ...loadedIn(revisions),
      })),
  );
  app.get("/decisions", (request, reply) => listingOf(catalogue.current).send(request, reply));
}

function loadedIn({ decisions, profiles }: Generation["revisions"]): object {
  if (decisions === undefined && profiles === undefined) return {};
  const textOf = (one: typeof decisions) =>
    one && { revision: one.revision, source: one.source, since: new Date(one.sinceMs).toISOString() };
  return { loaded: { decisions: textOf(decisions), profiles: textOf(profiles) } };
}

/** The body of `GET /decisions/:id/versions`. */
interface VersionList {
  readonly id: string;
  /** Evaluates calls that name no version, unless the host chooses another for some of them. */
  readonly default: string;
  readonly versions: readonly VersionEntry[];
}

interface VersionEntry {
  readonly version: string;
  readonly description?: string;
  /** Only of a decision of `logic`. */
  readonly contentHash?: string;
  /** Dates in ISO 8601. */
  readonly deprecated?: { readonly since: string; readonly sunset?: string; readonly link?: string };
  readonly retired?: true;
}

/** Serves `GET /decisions/:id/versions`. */
export function versionsRoute(app: FastifyInstance, catalogue: Service["catalogue"]): void {
  const listsOf = oncePerSet(() => new Map<string, CachedDocument>());
  app.get<{ Params: { id: string } }>("/decisions/:id/versions", (request, reply) => {
    const { current } = catalogue;
    const { id } = request.params;
    const served = current.get(id);
    if (served === undefined) {
      sendError(reply, missingDecision(current, request.params) ?? tableReply("INTERNAL_ERROR"));
      return;
    }
    const lists = listsOf(current);
    const list = lists.get(id) ?? new CachedDocument(() => listVersions(served));
    lists.set(id, list);
    list.send(request, reply);
  });
}

function listVersions({ id, standard, versions, retired }: Served): VersionList {
  return {
    id,
    default: standard.decision.version,
    versions: [
      ...[...versions.values()].map(describeVersion),
      ...[...retired].map((version) => ({ version, retired: true }) as const),
    ],
  };
}

function describeVersion({ decision, deprecation }: Served["standard"]): VersionEntry {
  const { version, description, contentHash } = decision;
  return {
    version,
    ...(description === undefined ? {} : { description }),
    ...(contentHash === undefined ? {} : { contentHash }),
    ...(deprecation === undefined ? {} : { deprecated: datesOf(deprecation) }),
  };
}

/** How to call a decision: the body of `GET /decisions/:id/endpoint-schema`, and of the same for one version. */
interface EndpointSchema {
  readonly id: string;
  readonly method: "POST";
  readonly path: string;
  readonly requestSchema: JsonSchema;
  readonly responseSchema: JsonSchema;
}

/**
 * Describes the endpoint of a decision with the decision's own schemas.
 *
 * @param isPinned - whether to describe the endpoint of this version instead of that of the default version
 */
function describeEndpoint(decision: Decision, isPinned: boolean): EndpointSchema {
  const { id, version, inputSchema, outputSchema, profileSchema } = extractDecisionSchema(decision);
  return {
    id,
    method: "POST",
    path: isPinned ? `/decisions/${id}/versions/${encodeURIComponent(version)}` : `/decisions/${id}`,
    requestSchema: {
      type: "object",
      properties: { input: nest(inputSchema, "input"), profile: nest(profileSchema, "profile") },
      required: ["input"],
    },
    responseSchema: anyResultSchema(nest(outputSchema, "data")),
  };
}

/** Moves a schema under a property: references into the schema itself must move with it. */
function nest(schema: JsonSchema, property: string): JsonSchema {
  // A schema with its own `$id` resolves its references against that, wherever it stands.
  if ("$id" in schema) return schema;
  const { $ref } = schema;
  const nested = mapSubschemas(schema, (subschema) => nest(subschema, property));
  if (typeof $ref !== "string" || !/^#(\/|$)/.test($ref)) return nested;
  return { ...nested, $ref: `#/properties/${property}${$ref.slice(1)}` };
}

interface DecisionRequest {
  Params: { readonly id: string; readonly version?: string };
}

/**
 * Serves `GET /decisions/:id/schema` and `GET /decisions/:id/endpoint-schema` for the default version, and the same for
 * each version under `/decisions/:id/versions/:version`.
 */
export function schemaRoutes(app: FastifyInstance, catalogue: Service["catalogue"]): void {
  const schema = documentOf(catalogue, (decision) => extractDecisionSchema(decision));
  const endpointSchema = documentOf(catalogue, describeEndpoint);
  for (const path of ["/decisions/:id", "/decisions/:id/versions/:version"]) {
    app.get<DecisionRequest>(`${path}/schema`, schema);
    app.get<DecisionRequest>(`${path}/endpoint-schema`, endpointSchema);
  }
}

function documentOf(
  catalogue: Service["catalogue"],
  build: (decision: Decision, isPinned: boolean) => unknown,
) {
  const documents = {
    ofPinned: new WeakMap<Decision, CachedDocument>(),
    others: new WeakMap<Decision, CachedDocument>(),
  };
  return (request: FastifyRequest<DecisionRequest>, reply: FastifyReply): void => {
    const { params } = request;
    const { id, version } = params;
    const { current } = catalogue;
    const served = current.get(id);
    const found = version === undefined ? served?.standard : served?.versions.get(version);
    if (found === undefined) {
      sendError(reply, missingDecision(current, params) ?? tableReply("INTERNAL_ERROR"));
      return;
    }
    const { decision, headers } = found;
    if (headers !== undefined) reply.headers(headers);
    const isPinned = version !== undefined;
    const known = isPinned ? documents.ofPinned : documents.others;
    let document = known.get(decision);
    if (document === undefined) {
      document = new CachedDocument(() => build(decision, isPinned));
      known.set(decision, document);
    }
    document.send(request, reply);
  };
}
