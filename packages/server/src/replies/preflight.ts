import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { probe } from "../requests/route-config.js";

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
    await scope.register(cors, { methods: ["GET", "HEAD", "POST"], strictPreflight: false, maxAge: 600 });
  });
}
