import type { IncomingMessage } from "node:http";
import { DecernError } from "@decern/core";
import { type LoadGate, type Served, type Service, type Target, tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppHooks } from "../base/app-hooks.js";
import { sendError } from "../reply/send.js";
import { createNotFoundHandler, missingDecision, type PathParams } from "./routing.js";

/** A name or an address in brackets, with or without a port, as RFC 3986 has them. A target without an authority has an empty one. */
const hostPattern = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*|\[[0-9a-f:.]+\])(?::\d*)?$/i;

/**
 * Finds requests that HTTP forbids but Node accepts: without `Host`, with two, with an invalid one, or in an unsupported
 * transfer coding. A proxy and this server could read such a request differently.
 */
function hasSoundFraming({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  const { host } = headers;
  if (host === undefined) {
    if (httpVersion !== "1.0") return false;
  } else if (!hostPattern.test(host) || hasTwoHosts(rawHeaders)) {
    return false;
  }
  const coding = headers["transfer-encoding"];
  return coding === undefined || coding.trim().toLowerCase() === "chunked";
}

/** Node keeps the first one and drops the others. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

/** What decides whether a request is admitted. */
interface AdmissionOptions {
  /** Sent with every reply. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the server starts to close. */
  readonly closing: AbortSignal;
  /** Absent without overload protection. */
  readonly load: LoadGate | undefined;
  readonly catalogue: Service["catalogue"];
  readonly hooks: AppHooks;
}

declare module "fastify" {
  interface FastifyRequest {
    /** What the path of an evaluation names, in the generation that was in use when the request came. */
    decernTarget: Target | undefined;
  }
}

/** The paths of evaluations, `POST` only. */
export const evaluationPath = "/decisions/:id";

export const pinnedPath = "/decisions/:id/versions/:version";

/** The paths of batches, `POST` only. */
export const batchPaths = [`${evaluationPath}/batch`, `${pinnedPath}/batch`] as const;

/** Before the paths of evaluations whose replies have a trace, for the docs page. */
export const docsPrefix = "/docs";

/** Before the paths of evaluations that leave no trace in metrics and records, for the docs page while somebody edits. */
export const livePrefix = "/docs/live";

/**
 * Refuses requests that no route may see: malformed ones, those for what does not exist and, except on vital routes, those
 * that arrive while the server is closing or overloaded. `authenticateCallers` adds its hook after the first one here.
 */
export function admitRequests(app: FastifyInstance, options: AdmissionOptions): void {
  const { headers: fixed, closing, load, catalogue, hooks } = options;
  const handleNotFound = createNotFoundHandler(app, catalogue);
  app.decorateRequest("decernTarget", undefined);
  app.addHook("onRequest", function admit(request, reply, done) {
    // Hooks of the host may read and replace them.
    if (hooks.hasHosts) reply.headers(fixed).header("x-request-id", request.id);
    if (!hasSoundFraming(request.raw)) {
      reply.header("connection", "close");
      sendError(reply, tableReply("BAD_REQUEST"));
      return;
    }
    if (closing.aborted) {
      reply.header("connection", "close");
      if (!isVital(request)) {
        sendError(reply, tableReply("SERVER_CLOSING"));
        return;
      }
    }
    if (load?.isLate() === true && !isVital(request)) refuseOverload(reply, load);
    else done();
  });
  // Not earlier: the reply to an evaluation may go straight to Node, with these among its headers.
  app.addHook("onSend", function addHeaders(request, reply, _payload, done) {
    if (!hooks.hasHosts) {
      for (const name in fixed) if (!reply.hasHeader(name)) reply.header(name, fixed[name]);
      if (!reply.hasHeader("x-request-id")) reply.header("x-request-id", request.id);
    }
    done();
  });
  // Before the body is read, and after every `onRequest` hook, so callers have been authenticated.
  app.addHook<{ Params: PathParams }>("preParsing", function refuseUnknown(request, reply, _payload, done) {
    if (request.is404) {
      handleNotFound(request, reply);
      return;
    }
    const { params } = request;
    if (request.method !== "POST" || params["id"] === undefined) {
      done();
      return;
    }
    const { current } = catalogue;
    const target = current.find(params["id"], params["version"]);
    if (typeof target !== "string") request.decernTarget = target;
    const headers = typeof target === "string" ? undefined : knownVersion(target)?.headers;
    // The route comes last, because Fastify makes `routeOptions` anew each time it is read.
    if ((typeof target !== "string" && headers === undefined) || !isEvaluation(request)) {
      done();
    } else if (headers !== undefined) {
      reply.headers(headers);
      done();
    } else {
      sendError(reply, missingDecision(current, params) ?? tableReply("INTERNAL_ERROR"));
    }
  });
  // For routes that call `reply.callNotFound()`.
  app.setNotFoundHandler(handleNotFound);
  if (load !== undefined) takePlaces(app, load);
}

/** Gives requests their places at the gate, after their bodies: a client that sends slowly must not hold one. */
function takePlaces(app: FastifyInstance, load: LoadGate): void {
  app.addHook("preHandler", function takePlace(request, reply, done) {
    const response = reply.raw;
    if (isVital(request) || response.closed || request.raw.socket.destroyed) {
      done();
    } else if (load.enter(response)) {
      // The evaluation route leaves earlier. This also covers clients that go away before the reply.
      response.once("close", () => load.leave(response));
      done();
    } else {
      refuseOverload(reply, load);
    }
  });
  app.addHook("onClose", async () => load.stop());
}

/** @throws DecernError `DECISION_NOT_FOUND` on a route that {@link admitRequests} does not know */
export function targetOf({ decernTarget }: FastifyRequest): Target {
  if (decernTarget === undefined) throw new DecernError("DECISION_NOT_FOUND");
  return decernTarget;
}

/** The version that will evaluate a call, where its path says enough. */
function knownVersion({ served, pinned }: Target): Served["standard"] | undefined {
  if (pinned !== undefined) return pinned;
  return served.isFixed ? served.standard : undefined;
}

function isEvaluation({ routeOptions }: FastifyRequest<{ Params: PathParams }>): boolean {
  return routeOptions.config.decern?.ofDecision === true;
}

function refuseOverload(reply: FastifyReply, load: LoadGate): void {
  sendError(reply.header("retry-after", load.retryAfter), tableReply("OVERLOADED"));
}

function isVital(request: FastifyRequest): boolean {
  return request.routeOptions.config.decern?.vital === true;
}
