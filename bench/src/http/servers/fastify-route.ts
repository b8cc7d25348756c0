import fastify from "fastify";
import { evaluateLoan, statusOf } from "../plain-handler.js";
import { portOf } from "../port-of.js";

/** A route written by hand in a Fastify application; the body is the input. */
export async function listen(): Promise<number> {
  const app = fastify();
  app.post("/decisions/loan-approval", (request, reply) => {
    const result = evaluateLoan(request.body);
    reply.code(statusOf(result)).send(result);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return portOf(app.server.address());
}
