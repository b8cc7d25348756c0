import { decisionPlugin } from "@decern/adapter-fastify";
import { addDecisionsToSpec } from "@decern/openapi";
import swagger from "@fastify/swagger";
import swaggerUI from "@fastify/swagger-ui";
import Fastify, { type FastifyInstance } from "fastify";
import { decisions, hooks, info, mount, versions } from "./shop.js";

/** A Fastify application with routes of its own. Its document comes from `@fastify/swagger`. */
export async function createFastifyShop(): Promise<FastifyInstance> {
  const app = Fastify();
  // Names that the decisions' components have too.
  app.addSchema({
    $id: "Error",
    type: "object",
    properties: { reason: { type: "string" } },
    required: ["reason"],
  });
  app.addSchema({
    $id: "LoanApprovalInput",
    type: "object",
    properties: { order: { type: "string" } },
    required: ["order"],
  });

  await app.register(swagger, {
    openapi: {
      info,
      servers: [{ url: "/" }],
      security: [],
      tags: [{ name: "Orders", description: "Buy something." }],
    },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) },
    transformObject: (documents) =>
      "openapiObject" in documents
        ? addDecisionsToSpec(documents.openapiObject, mount)
        : documents.swaggerObject,
  });
  await app.register(swaggerUI, { routePrefix: "/documentation" });

  app.get(
    "/orders/:id",
    {
      schema: {
        operationId: "evaluateError",
        summary: "Read an order",
        tags: ["Orders"],
        params: {
          type: "object",
          properties: { id: { type: "string", description: "The order's id." } },
          required: ["id"],
        },
        response: {
          200: { description: "The order.", $ref: "LoanApprovalInput#" },
          404: { description: "No such order.", $ref: "Error#" },
        },
      },
    },
    (request, reply) => {
      const { id } = Object(request.params);
      return id === "1" ? { order: "one" } : reply.code(404).send({ reason: "No such order" });
    },
  );
  await app.register(decisionPlugin, { decisions, versions, hooks, prefix: "/api/decisions" });
  await app.ready();
  return app;
}
