import type { Clock } from "@decern/core";
import { tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Connections } from "../connections/connections.js";
import { sendError } from "../replies/send.js";
import { LoadGate } from "./load-gate.js";
import type { OverloadOptions } from "./overload.js";

const leave: unique symbol = Symbol("decern.leave");

declare module "fastify" {
  interface FastifyRequest {
    /** Gives the request's place to another one. */
    [leave]?: () => void;
  }
}

/** Says that there is nothing left to do for a request but to send its reply, which waits for those of its turn. */
export function leavePlace(request: FastifyRequest): void {
  request[leave]?.();
}

/** Refuses what cannot be served soon, on every route but the vital ones. */
export function shedLoad(
  app: FastifyInstance,
  options: OverloadOptions,
  clock: Clock,
  connections: Connections,
): void {
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
    if (isVital(request) || reply.raw.closed || request.raw.socket.destroyed) {
      done();
    } else if (gate.enter()) {
      let inside = true;
      const leaveOnce = (): void => {
        if (inside) gate.leave();
        inside = false;
      };
      request[leave] = leaveOnce;
      // Also when the client goes away before the answer.
      connections.whenGone(reply.raw, leaveOnce);
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
