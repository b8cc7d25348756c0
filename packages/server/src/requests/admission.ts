import type { Decision } from "@decern/core";
import { tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Connections } from "../connections/connections.js";
import { hasSoundFraming } from "../connections/framing.js";
import type { LoadGate } from "../overload/load-gate.js";
import { decisionNotFound } from "../replies/decision-not-found.js";
import { createNotFoundHandler } from "../replies/not-found.js";
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
  readonly catalogue: ReadonlyMap<string, Decision>;
}

/** The path of evaluations, `POST` only. */
export const evaluationPath = "/decisions/:id";

type Params = Readonly<Record<string, string | undefined>>;

/**
 * Refuses requests that no route may see: malformed ones, those for what does not exist and, except on vital routes, those
 * that arrive while the server is closing or overloaded. `authenticateCallers` adds its hook after the first one here.
 */
export function admitRequests(app: FastifyInstance, options: AdmissionOptions): void {
  const { closing, load, connections, catalogue } = options;
  const handleNotFound = createNotFoundHandler(app, catalogue);
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
  // Before the body is read, and after every `onRequest` hook, so callers have been authenticated.
  app.addHook<{ Params: Params }>("preParsing", function refuseUnknown(request, reply, _payload, done) {
    if (request.is404) {
      handleNotFound(request, reply);
      return;
    }
    const id = evaluatedId(request);
    if (id === undefined || catalogue.has(id)) done();
    else decisionNotFound(reply, id);
  });
  // For routes that call `reply.callNotFound()`.
  app.setNotFoundHandler(handleNotFound);
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

/** The id of the decision that a request asks to evaluate. */
function evaluatedId(request: FastifyRequest<{ Params: Params }>): string | undefined {
  const id = request.method === "POST" ? request.params["id"] : undefined;
  // Last, because Fastify makes `routeOptions` anew each time it is read.
  return id !== undefined && request.routeOptions.url === evaluationPath ? id : undefined;
}

function refuseOverload(reply: FastifyReply, load: LoadGate): void {
  sendError(reply.header("retry-after", load.retryAfter), tableReply("OVERLOADED"));
}

function isVital(request: FastifyRequest): boolean {
  return request.routeOptions.config.decern?.vital === true;
}
