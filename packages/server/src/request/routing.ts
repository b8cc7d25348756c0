import type { ErrorReply } from "@decern/core";
import { type MountedRoute, type Service, tableReply } from "@decern/core/host";
import cors from "@fastify/cors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Generation } from "../base/values.js";
import { sendError } from "../reply/send.js";

/** The parameters of a route. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * Finds out why a path names no decision, or no version of one.
 *
 * @returns `undefined` where it does; an empty id or version is not a valid one, so its path does not exist
 */
export function missingDecision(generation: Generation, { id, version }: PathParams): ErrorReply | undefined {
  if (id === undefined || id === "" || version === "") return tableReply("ROUTE_NOT_FOUND");
  const target = generation.find(id, version);
  if (typeof target !== "string") return undefined;
  if (target === "DECISIONS_NOT_LOADED") return tableReply(target);
  return tableReply(target, target === "DECISION_NOT_FOUND" ? id : version);
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Makes the reply to requests that match no route: 404 or 410 if the path names a decision or version that
 * is not there, 405 if the path
 * accepts other methods, else 404.
 */
export function createNotFoundHandler(app: FastifyInstance, catalogue: Service["catalogue"]) {
  return function handleNotFound(request: FastifyRequest, reply: FastifyReply): void {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = methodsOf(app, path);
    const [first] = allowed;
    // If a route accepts the method, that route itself called `callNotFound`: it has no such file.
    if (first === undefined || allowed.some((method) => method === request.method)) {
      sendError(reply, tableReply("ROUTE_NOT_FOUND"));
      return;
    }
    const params = path.startsWith("/decisions/") ? paramsOf(app, first, path) : undefined;
    const missing = params?.["id"] === undefined ? undefined : missingDecision(catalogue.current, params);
    if (missing !== undefined) {
      sendError(reply, missing);
      return;
    }
    reply.header("allow", allowed.join(", "));
    sendError(reply, tableReply("METHOD_NOT_ALLOWED"));
  };
}

/** The methods that the routes of a path accept. */
function methodsOf(app: FastifyInstance, path: string): (typeof methods)[number][] {
  return methods.filter((method) => paramsOf(app, method, path) !== undefined);
}

/** The parameters of the route that matches a path, or `undefined` if none does. */
function paramsOf(
  app: FastifyInstance,
  method: (typeof methods)[number],
  path: string,
): PathParams | undefined {
  const params = app.findRoute({ method, url: path })?.params;
  // `/decisions/` does not name a decision with an empty id.
  return params === undefined || Object.values(params).includes("") ? undefined : params;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** How the server treats a route. You can set it on your own routes too. */
    decern?: RouteConfig | undefined;
  }
}

/** How the server treats a route. */
export interface RouteConfig {
  /** Whether the route skips authentication. @default false */
  readonly open?: boolean | undefined;
  /** Whether the route stays available under overload and while the server closes. @default false */
  readonly vital?: boolean | undefined;
  /**
   * Whether `:id`, and `:version` where there is one, name a decision: what doesn't exist gets 404 or 410 before a body is read.
   * @default false
   */
  readonly ofDecision?: boolean | undefined;
  /** The facade's route with this path, in whose form the server refuses. @default the server's own form */
  readonly facade?: MountedRoute | undefined;
}

/** For routes that probes call. */
export const probe = { decern: { open: true, vital: true } } as const;

/** For routes below a decision. */
export const ofDecision = { decern: { ofDecision: true } } as const;

/** For pages that reveal nothing about decisions: a browser cannot send a key when it opens a page. */
export const openPage = { decern: { open: true } } as const;

/**
 * Replies to CORS preflights. The plugin has its own scope that contains only the preflight route. The headers that it
 * would add to other replies never change, so they are static headers.
 */
export function preflightRoute(app: FastifyInstance): void {
  app.register(async (scope) => {
    // A browser sends no credentials with a preflight.
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, ...probe };
    });
    scope.addHook("onRequest", (request, reply, done) => {
      const allowed = methodsOf(app, request.url.split("?", 1)[0] ?? "");
      if (allowed.length > 0) reply.header("allow", allowed.join(", "));
      done();
    });
    await scope.register(cors, { methods: ["GET", "HEAD", "POST"], strictPreflight: false, maxAge: 600 });
  });
}

/**
 * Whether a client asks for HTML rather than for JSON. Browsers name `text/html`. Programs name JSON, or take anything: they
 * get JSON.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const part of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(type, weight === undefined ? 1 : Number(weight) || 0);
  }
  const html = weights.get("text/html") ?? 0;
  return html > 0 && html >= (weights.get("application/json") ?? 0);
}
