import { DecernError, type Feature } from "@decern/core";
import { createFeaturedService, LoadGate, type MountedRoute, type Service } from "@decern/core/host";
import type { FastifyInstance } from "fastify";
import { AppHooks } from "../base/app-hooks.js";
import { HttpServers } from "../connections/http-servers.js";
import { createApp } from "../create-app.js";
import { routeProblems } from "../options/option-problems.js";
import type { ServerOptions } from "../options/options.js";
import { readServerOptions, type ServerSettings } from "../options/read-options.js";
import { staticHeaders } from "../reply/send.js";
import { type ReplyTeller, replyTeller } from "../reply/tell-replies.js";
import { metricsPage } from "../routes/features.js";
import { ServiceDocument } from "../routes/openapi.js";
import { describeService } from "./describe-service.js";

/** What the parts of one server share. */
export class ServerContext {
  readonly settings: ServerSettings;
  readonly service: Service;
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
  readonly hooks: AppHooks;

  /**
   * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, of the wrong kind, or contradicts another, and
   *   everything that is wrong with decisions, profiles and features
   */
  constructor(options: ServerOptions) {
    const { given, checked, problems, metrics, openapi, explain } = readServerOptions(options);
    this.document = new ServiceDocument(
      () => this.service.catalogue.current,
      (generation) => {
        const described = describeService(this.settings, generation, this.routes);
        return openapi?.buildDocument(generation.versions, described) ?? {};
      },
      () => this.service.catalogue.status.decisions !== undefined,
    );
    const ownFeatures: readonly Feature[] = [
      ...(metrics === undefined ? [] : [metricsPage(metrics, checked?.publicMetrics === true)]),
      ...(openapi === undefined ? [] : [this.document.at(openapi.endpoint)]),
      ...(explain === undefined ? [] : [explain]),
    ];
    const logger = checked?.logger === true ? undefined : checked?.logger;
    const { service, routes } = createFeaturedService(
      "createServer",
      { ...given, ...checked, logger },
      { problems, override: checked?.profileOverride ?? "replace", ownFeatures },
    );
    if (checked === undefined) throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems });
    const { hooks, log, records, liveDocs = log === undefined && !hooks?.beforeEvaluate } = checked;
    const docs = checked.docs !== false;
    const taken = routeProblems(routes, { docs, records: records !== false });
    if (taken.length > 0)
      throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems: taken });
    const settings = {
      ...checked,
      docs,
      publish: typeof checked.docs === "object" ? checked.docs.publish : undefined,
      liveDocs: docs && liveDocs,
      logger: service.logger,
      metrics,
      openapi,
      explain,
    };
    this.settings = settings;
    this.service = service;
    this.routes = routes;
    this.headers = staticHeaders(settings.cors, {
      deprecates: announcesEnd(service.catalogue.current),
      records: log !== undefined,
    });
    this.replied = replyTeller(service.observers, settings.logger);
    this.servers = new HttpServers(settings, this.headers, this.replied);
    this.load = settings.overload && new LoadGate(settings.overload, settings.clock);
    this.app = createApp(settings, this.headers, this.servers, this.routes, this.replied);
    this.hooks = new AppHooks(this.app);
  }
}

/** Whether some version is deprecated. */
function announcesEnd({ decisions }: Service["catalogue"]["current"]): boolean {
  return [...decisions.values()].some(({ versions }) =>
    [...versions.values()].some(({ deprecation }) => deprecation !== undefined),
  );
}
