import { DecernError, type Identity } from "@decern/core";
import { readIdentity } from "@decern/core/host";
import { withDeadline } from "@decern/core/tools";
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
      request.decernIdentity = await verify(authenticate, request, timeoutMs);
    } catch (error) {
      challenge(reply, authenticate, error);
      throw error;
    }
  });
}

/** @returns who calls; `undefined` when the request is let in without a name */
async function verify(
  authenticate: Authenticate,
  request: FastifyRequest,
  timeoutMs: number,
): Promise<Identity | undefined> {
  const answer: unknown = await withDeadline("authenticate", timeoutMs, () => authenticate(request));
  if (answer === true) return undefined;
  const identity = readIdentity(answer);
  if (identity === undefined) throw new DecernError("UNAUTHORIZED");
  return identity;
}

function challenge(reply: FastifyReply, authenticate: Authenticate, error: unknown): void {
  const isRefusal =
    typeof error === "object" && error !== null && "statusCode" in error && error.statusCode === 401;
  if (isRefusal && authenticate.challenge !== undefined)
    reply.header("www-authenticate", authenticate.challenge);
}
