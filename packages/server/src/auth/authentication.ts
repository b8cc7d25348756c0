import { DecernError } from "@decern/core";
import { withDeadline } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate } from "./authenticate.js";

/** Authenticates callers on every route that is not open, including the host's own routes. */
export function authenticateCallers(
  app: FastifyInstance,
  authenticate: Authenticate,
  timeoutMs: number,
): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.routeOptions.config.decern?.open === true) return;
    try {
      await verify(authenticate, request, timeoutMs);
    } catch (error) {
      challenge(reply, authenticate, error);
      throw error;
    }
  });
}

async function verify(authenticate: Authenticate, request: FastifyRequest, timeoutMs: number): Promise<void> {
  const answer = await withDeadline(
    () => authenticate(request),
    timeoutMs,
    () => new DecernError("HOOK_TIMEOUT", { detail: `authenticate did not settle within ${timeoutMs} ms` }),
  );
  if (answer === false) throw new DecernError("UNAUTHORIZED");
}

function challenge(reply: FastifyReply, authenticate: Authenticate, error: unknown): void {
  const isRefusal =
    typeof error === "object" && error !== null && "statusCode" in error && error.statusCode === 401;
  if (isRefusal && authenticate.challenge !== undefined)
    reply.header("www-authenticate", authenticate.challenge);
}
