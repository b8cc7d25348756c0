import fastify from "fastify";
import { evaluateLoan, inputOf, statusOf } from "../plain-handler.js";
import { portOf } from "../port-of.js";

/** Bare Fastify with a plain handler: what everything else is measured against. */
export async function listen(): Promise<number> {
  const app = fastify();
  app.post("/decisions/loan-approval", (request, reply) => {
    const result = evaluateLoan(inputOf(request.body));
    reply.code(statusOf(result)).send(result);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return portOf(app.server.address());
}
