import { DecernError } from "@decern/core";
import { LoadGate, type MountedRoute, mountFeatures } from "@decern/core/host";
import type { FastifyInstance } from "fastify";
import { HttpServers } from "../connections/http-servers.js";
import { createApp } from "../create-app.js";
import { routeProblems } from "../options/option-problems.js";
import type { ServerSettings } from "../options/read-options.js";
import { staticHeaders } from "../reply/send.js";
import { type ReplyTeller, replyTeller } from "../reply/tell-replies.js";
import { metricsPage } from "../routes/features.js";
import { ServiceDocument } from "../routes/openapi.js";
import { describeService } from "./describe-service.js";

/** What the parts of one server share. */
export class ServerContext {
  readonly settings: ServerSettings;
  /** Of all features: the server's own, those that the host gave, and facades. */
  readonly routes: readonly MountedRoute[];
  readonly document: ServiceDocument;
  /** Sent with every reply. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent where no observer listens. */
  readonly replied: ReplyTeller | undefined;
  readonly servers: HttpServers;
  /** Aborted when the server starts to close. */
  readonly closing = new AbortController();
  /** Absent without overload protection. */
  readonly load: LoadGate | undefined;
  readonly app: FastifyInstance;

  /** @throws DecernError `INVALID_OPTIONS` for features with a route that the server or an earlier feature has */
  constructor(settings: ServerSettings) {
    const { service, metrics, openapi, explain, features = [], facades } = settings;
    this.settings = settings;
    this.document = new ServiceDocument(() => {
      const described = describeService(settings, this.routes);
      return openapi?.buildDocument(service.catalogue.current.versions, described) ?? {};
    });
    const own = [
      ...(explain === undefined ? [] : [explain]),
      ...(metrics === undefined ? [] : [metricsPage(metrics, settings.publicMetrics)]),
      ...(openapi === undefined ? [] : [this.document.at(openapi.endpoint)]),
    ];
    this.routes = mountFeatures({ features: [...own, ...features], facades }, service);
    const problems = routeProblems(this.routes, { docs: settings.docs, records: settings.records !== false });
    if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems });
    this.headers = staticHeaders(settings.cors, {
      deprecates: announcesEnd(service.catalogue.current),
      records: settings.log !== undefined,
    });
    this.replied = replyTeller(settings.observers, settings.logger);
    this.servers = new HttpServers(settings, this.headers, this.replied);
    this.load = settings.overload && new LoadGate(settings.overload, settings.clock);
    this.app = createApp(settings, this.headers, this.servers, this.routes, this.replied);
  }
}

/** Whether some version is deprecated. */
function announcesEnd({ decisions }: ServerSettings["service"]["catalogue"]["current"]): boolean {
  return [...decisions.values()].some(({ versions }) =>
    [...versions.values()].some(({ deprecation }) => deprecation !== undefined),
  );
}
