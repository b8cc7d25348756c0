import { type Awaitable, DecernError, type Identity, type RequestView } from "@decern/core";
import { withDeadline } from "@decern/core/tools";
import type { FastifyInstance } from "fastify";
import { originOf } from "../requests/request-origin.js";

/**
 * Decides whether a caller whom `authenticate` let in may look at records.
 *
 * @param request - its `identity` is what `authenticate` returned
 * @returns `true` lets in. Everything else refuses with 403
 * @throws an error with a `statusCode` from 400 to 499 refuses with that status; anything else is a fault: 500, logged
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
