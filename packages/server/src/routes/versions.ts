import type { HostedDecision, HostedVersion } from "@decern/core/host";
import type { Catalogue } from "@decern/core/tools";
import type { FastifyInstance } from "fastify";
import { CachedDocument } from "../replies/cached-document.js";
import { sendError } from "../replies/send.js";
import { missingDecision } from "../requests/missing-decision.js";

/** The body of `GET /decisions/:id/versions`. */
interface VersionList {
  readonly id: string;
  /** Evaluates calls that name no version, unless the host chooses another one for some of them. */
  readonly default: string;
  readonly versions: readonly VersionEntry[];
}

interface VersionEntry {
  readonly version: string;
  readonly description?: string;
  /** Dates in ISO 8601. */
  readonly deprecated?: { readonly since: string; readonly sunset?: string; readonly link?: string };
  readonly retired?: true;
}

/** Serves `GET /decisions/:id/versions`. */
export function versionsRoute(app: FastifyInstance, catalogue: Catalogue): void {
  const lists = new Map(
    [...catalogue.decisions].map(
      ([id, hosted]) => [id, new CachedDocument(() => listVersions(hosted))] as const,
    ),
  );
  app.get<{ Params: { id: string } }>("/decisions/:id/versions", (request, reply) => {
    const missing = missingDecision(catalogue, request.params);
    if (missing === undefined) lists.get(request.params.id)?.send(request, reply);
    else sendError(reply, missing);
  });
}

function listVersions({ id, standard, versions, retired }: HostedDecision): VersionList {
  return {
    id,
    default: standard.decision.version,
    versions: [
      ...[...versions.values()].map(describeVersion),
      ...[...retired].map((version) => ({ version, retired: true }) as const),
    ],
  };
}

function describeVersion({ decision, deprecation }: HostedVersion): VersionEntry {
  const { version, description } = decision;
  return {
    version,
    ...(description === undefined ? {} : { description }),
    ...(deprecation === undefined ? {} : { deprecated: describeDeprecation(deprecation) }),
  };
}

function describeDeprecation({
  since,
  sunset,
  link,
}: NonNullable<HostedVersion["deprecation"]>): NonNullable<VersionEntry["deprecated"]> {
  return {
    since: new Date(since).toISOString(),
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toISOString() }),
    ...(link === undefined ? {} : { link }),
  };
}
