import { decisionPlugin } from "@decern/adapter-fastify";
import { addDecisionsToSpec } from "@decern/openapi";
import swagger from "@fastify/swagger";
import swaggerUI from "@fastify/swagger-ui";
import Fastify from "fastify";
import { decisions, profiles } from "./decisions.js";

const app = Fastify();

await app.register(swagger, {
  openapi: { info: { title: "Shop", version: "1.0.0" } },
  transformObject: (documents) =>
    "openapiObject" in documents
      ? addDecisionsToSpec(documents.openapiObject, { decisions, prefix: "/decisions" })
      : documents.swaggerObject,
});
await app.register(swaggerUI, { routePrefix: "/documentation" });
await app.register(decisionPlugin, { decisions, profiles, prefix: "/decisions" });

app.get("/orders", { schema: { summary: "List the orders" } }, () => []);
await app.listen({ port: 3000 }); // GET /documentation/json
