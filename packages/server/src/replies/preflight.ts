import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";
import { probe } from "../requests/route-config.js";

/**
 * Answers CORS preflights. The plugin lives in a scope of its own, with nothing but the preflight route in it: what it
 * would add to every other reply is always the same, and is one of the static headers.
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
