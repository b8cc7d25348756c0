import type { FastifyInstance, FastifyReply, FastifyRequest, RouteGenericInterface } from "fastify";

/** A Fastify handler. Its promise resolves once the reply has been sent. */
export type DecisionHandler<Route extends RouteGenericInterface = RouteGenericInterface> = (
  this: FastifyInstance,
  request: FastifyRequest<Route>,
  reply: FastifyReply<Route>,
) => Promise<void>;
