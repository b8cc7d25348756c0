import { tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Connections } from "../connections/connections.js";
import { hasSoundFraming } from "../connections/framing.js";
import type { LoadGate } from "../overload/load-gate.js";
import { sendError } from "../replies/send.js";

/** What decides whether a request is let in. */
export interface AdmissionOptions {
  /** Sent with every reply. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the server starts to close. */
  readonly closing: AbortSignal;
  /** Absent without overload protection. */
  readonly load: LoadGate | undefined;
  readonly connections: Connections;
}

/**
 * Refuses requests that no route may see: malformed ones and, except on vital routes, those that arrive while the server is
 * closing or overloaded. Who the caller is, `authenticateCallers` asks next.
 */
export function admitRequests(app: FastifyInstance, options: AdmissionOptions): void {
  const { closing, load, connections } = options;
  const headers = Object.entries(options.headers);
  app.addHook("onRequest", function admit(request, reply, done) {
    for (const [name, value] of headers) reply.header(name, value);
    reply.header("x-request-id", request.id);
    if (!hasSoundFraming(request.raw)) {
      reply.header("connection", "close");
      sendError(reply, tableReply("BAD_REQUEST"));
      return;
    }
    if (closing.aborted) {
      reply.header("connection", "close");
      if (!isVital(request)) {
        sendError(reply.header("retry-after", "1"), tableReply("SERVER_CLOSING"));
        return;
      }
    }
    if (load?.isLate() === true && !isVital(request)) refuseOverload(reply, load);
    else done();
  });
  if (load === undefined) return;
  // After the body: a client that sends its body slowly must not hold a place.
  app.addHook("preHandler", function takePlace(request, reply, done) {
    const response = reply.raw;
    if (isVital(request) || response.closed || request.raw.socket.destroyed) {
      done();
    } else if (load.enter(response)) {
      // The evaluation route leaves earlier. This also covers clients that go away before the reply.
      connections.whenGone(response, () => load.leave(response));
      done();
    } else {
      refuseOverload(reply, load);
    }
  });
  app.addHook("onClose", async () => load.stop());
}

function refuseOverload(reply: FastifyReply, load: LoadGate): void {
  sendError(reply.header("retry-after", load.retryAfter), tableReply("OVERLOADED"));
}

function isVital(request: FastifyRequest): boolean {
  return request.routeOptions.config.decern?.vital === true;
}
