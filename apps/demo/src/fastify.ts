import { createDecisionHandler, createDecisionHook, decisionPlugin } from "@decern/adapter-fastify";
import type { MetricsCollectorPort, MetricsFeature } from "@decern/core";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { decisions, defaultProfiles, documentAccess, loanApproval } from "./decisions/index.js";
import { accessRequest, findDocument, findUser, lendingPolicy } from "./records.js";

type DocumentRequest = FastifyRequest<{ Params: { id: string } }>;

/** An application of its own that mounts the decisions, and lets one of them guard its documents. */
export function createFastifyHost(metrics: MetricsFeature<MetricsCollectorPort>): FastifyInstance {
  const observers = [metrics.observer];
  const app = Fastify({ forceCloseConnections: "idle" });

  app.get("/", () => ({ host: "fastify" }));

  app.get(metrics.endpoint, (request, reply) => {
    const { contentType, body } = metrics.render(request.headers.accept);
    return reply.type(contentType).send(body);
  });

  // The host knows its users; the decisions in this scope only see requests of theirs.
  app.register(async (scope) => {
    scope.addHook("onRequest", async (request, reply) => {
      if (findUser(request.headers.authorization) !== undefined) return;
      return reply.code(401).send({ error: "Who are you?", code: "UNAUTHORIZED" });
    });

    scope.register(decisionPlugin, {
      decisions,
      profiles: defaultProfiles,
      prefix: "/api/decisions",
      observers,
    });

    // One decision on a route of the host's own, with a profile for each request.
    scope.post(
      "/loans",
      createDecisionHandler({
        decision: loanApproval,
        profileResolver: (request) => lendingPolicy(request.headers.authorization),
        observers,
      }),
    );

    const preHandler = createDecisionHook({
      decision: documentAccess,
      profile: defaultProfiles["document-access"],
      inputMapper: ({ headers, params }: DocumentRequest) => accessRequest(headers.authorization, params.id),
      observers,
    });
    scope.get<{ Params: { id: string } }>("/documents/:id", { preHandler }, (request) => {
      return { document: findDocument(request.params.id), why: request.decision?.meta };
    });
  });
  return app;
}
