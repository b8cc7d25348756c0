import { createDecisionHandler, createDecisionHook, decisionPlugin } from "@decern/adapter-fastify";
import type { DecisionLog, MetricsCollectorPort, MetricsFeature } from "@decern/core";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { accessRequest, findDocument, findUser, lendingPolicy, rollOut, tenantProfile } from "./callers.js";
import { documentAccess, loanApproval, profiles } from "./decisions/index.js";

type DocumentRequest = FastifyRequest<{ Params: { id: string } }>;

/** The caller's name, for rules, hooks, observers, the roll-out and the tenants' profiles. */
function caller({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  return findUser(headers.authorization)?.id;
}

/**
 * A Fastify application that mounts the decisions, and uses one of them to guard its documents.
 *
 * @param rollOutPercent - how many callers get version 2.0.0 of `loan-approval`
 * @param log - keeps a record of every decision
 */
export function createFastifyHost(
  metrics: MetricsFeature<MetricsCollectorPort>,
  rollOutPercent: number,
  log?: DecisionLog,
): FastifyInstance {
  const observers = [metrics.observer];
  const app = Fastify({ forceCloseConnections: "idle" });

  app.get("/", () => ({ host: "fastify" }));

  app.get(metrics.endpoint, (request, reply) => {
    const { contentType, body } = metrics.render(request.headers.accept);
    return reply.type(contentType).send(body);
  });

  // The host authenticates its users; the decisions in this scope only get their requests.
  app.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      if (findUser(request.headers.authorization) !== undefined) return;
      return reply.code(401).send({ error: "Authentication required", code: "UNAUTHORIZED" });
    });

    scope.register(decisionPlugin, {
      ...rollOut(rollOutPercent),
      profiles,
      profileResolver: tenantProfile,
      prefix: "/api/decisions",
      caller,
      observers,
      log,
    });

    // One decision on the host's own route, with a profile for each request.
    scope.post(
      "/loans",
      createDecisionHandler({
        decision: loanApproval,
        profileResolver: (request) => lendingPolicy(request.headers.authorization),
        caller,
        observers,
        log,
      }),
    );

    const preHandler = createDecisionHook({
      decision: documentAccess,
      profile: profiles["document-access"],
      inputMapper: ({ headers, params }: DocumentRequest) => accessRequest(headers.authorization, params.id),
      caller,
      observers,
      log,
    });
    scope.get<{ Params: { id: string } }>("/documents/:id", { preHandler }, (request) => {
      return { document: findDocument(request.params.id), why: request.decision?.meta };
    });
  });
  return app;
}
