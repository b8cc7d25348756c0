import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { probe } from "../requests/route-config.js";
import { methodsOf } from "./not-found.js";

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
