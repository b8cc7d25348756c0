import {
  type Awaitable,
  DecernError,
  type Identity,
  type RequestView,
  type SecurityDescription,
} from "@decern/core";
import { readIdentity } from "@decern/core/host";
import { type Kind, kinds, type RowsOf, requiredOption } from "@decern/core/options";
import { withDeadline } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { originOf } from "../request/body.js";

/**
 * Authenticates a caller, before the body is read.
 *
 * @typeParam Caller - inferred from what it returns for admitted callers; callbacks then see that type as `request.identity`
 */
export interface Authenticate<Caller extends Identity = Identity> {
  /**
   * Decides whether a request is admitted.
   *
   * @returns `true`, or who calls: hooks, observers, rules, `profileResolver` and `select` then see the caller. Everything else
   *   refuses with 401, also what JavaScript returns when a `return` was forgotten.
   * @throws an error with a `statusCode` from 400 to 499 refuses with that status; anything else is an error: 500, logged
   */
  (request: FastifyRequest): Awaitable<boolean | Caller>;
  /** For the OpenAPI document. */
  readonly security?: SecurityDescription | undefined;
  /** Value of `WWW-Authenticate` on a 401. */
  readonly challenge?: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls, where `authenticate` returned an identity. */
    decernIdentity: Identity | undefined;
  }
}

const securityKind = kinds.group({
  /** The name of a component in an OpenAPI document. */
  name: requiredOption(kinds.matching(/^[A-Za-z0-9._-]+$/, "must consist of A-Z a-z 0-9 . _ -")),
  scheme: requiredOption(kinds.object<SecurityDescription["scheme"]>()),
} satisfies RowsOf<SecurityDescription>);

/** What Node accepts as the value of a header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

const challengeKind: Kind<string> = (value, path) => {
  if (typeof value !== "string") return kinds.text(value, path);
  return headerValue.test(value) ? [] : [{ path, message: "must be a valid header value" }];
};

/** The `authenticate` option: a function, optionally with `security` and `challenge`. */
export const authenticateKind: Kind<Authenticate> = (value, path) => {
  if (typeof value !== "function") return kinds.callback()(value, path);
  const described: unknown = Reflect.get(value, "security");
  const challenge: unknown = Reflect.get(value, "challenge");
  return [
    ...(described === undefined ? [] : securityKind(described, `${path}/security`)),
    ...(challenge === undefined ? [] : challengeKind(challenge, `${path}/challenge`)),
  ];
};

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

/** @returns who calls; `undefined` when the request is admitted without a name */
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

/**
 * Decides whether a caller that `authenticate` admitted may look at records.
 *
 * @param request - its `identity` is what `authenticate` returned
 * @returns `true` admits. Everything else refuses with 403
 * @throws an error with a `statusCode` from 400 to 499 refuses with that status; anything else is an error: 500, logged
 */
export type RecordsAccess<Caller extends Identity = Identity> = (
  request: RequestView<Caller>,
) => Awaitable<boolean>;

/** Lets those through who may look at records, before the body is read. */
export function admitReaders(app: FastifyInstance, mayLookUp: RecordsAccess, timeoutMs: number): void {
  app.addHook("onRequest", async (request) => {
    const view = originOf(request).request;
    const answer: unknown = await withDeadline("records", timeoutMs, () => mayLookUp(view));
    if (answer !== true) throw new DecernError("ACCESS_DENIED");
  });
}
