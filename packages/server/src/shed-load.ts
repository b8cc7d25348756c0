import { type Clock, tableReply } from "@decern/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LoadGate } from "./load-gate.js";
import type { OverloadOptions } from "./overload.js";
import { sendError } from "./send.js";

/** Refuses what cannot be served soon, on every route but the vital ones. */
export function shedLoad(app: FastifyInstance, options: OverloadOptions, clock: Clock): void {
  const gate = new LoadGate(options, clock);
  const retryAfter = String(gate.retryAfterSeconds);
  const refuse = (reply: FastifyReply): void => {
    reply.header("retry-after", retryAfter);
    sendError(reply, tableReply("OVERLOADED"));
  };
  app.addHook("onRequest", (request, reply, done) => {
    if (isVital(request) || !gate.isLate()) done();
    else refuse(reply);
  });
  // After the body: a client that sends its own slowly must not hold a place.
  app.addHook("preHandler", (request, reply, done) => {
    if (isVital(request) || reply.raw.closed) {
      done();
    } else if (gate.enter()) {
      // Also when the client goes away before the answer.
      reply.raw.once("close", () => gate.leave());
      done();
    } else {
      refuse(reply);
    }
  });
  app.addHook("onClose", async () => gate.stop());
}

function isVital(request: FastifyRequest): boolean {
  return request.routeOptions.config.decern?.vital === true;
}
