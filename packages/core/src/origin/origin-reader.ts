import { ignoreRejection } from "../awaitable.js";
import { DecernError } from "../errors.js";
import type { RequestView } from "../hooks/request-view.js";
import type { CallOrigin } from "../host/chosen-call.js";
import { HostRequestView, type RequestAccess } from "./host-request-view.js";
import { isTraceparent } from "./traceparent.js";

/**
 * Makes the function that tells who asks, and with which request.
 *
 * @param caller - the host's callback. What it throws, and a result that names nobody and is not `undefined`, is the host's
 *   fault.
 */
export function createOriginReader<Request>(
  access: RequestAccess<Request>,
  caller: ((request: Request) => unknown) | undefined,
): (request: Request) => CallOrigin & { readonly request: RequestView } {
  return (request) => {
    const { traceparent } = access.headers(request);
    return {
      caller: caller === undefined ? undefined : nameOf(caller(request)),
      request: new HostRequestView(request, access),
      traceparent: isTraceparent(traceparent) ? traceparent : undefined,
    };
  };
}

function nameOf(named: unknown): string | undefined {
  // No record, header or label holds half a character, so a caller with one could not be found again, or be told from others.
  if (named === undefined || (typeof named === "string" && named !== "" && !/\p{Surrogate}/u.test(named)))
    return named;
  // An asynchronous callback must not end the process.
  ignoreRejection(named);
  const detail =
    "caller must return a non-empty string without lone surrogates, or undefined for an unknown caller";
  throw new DecernError("INTERNAL_ERROR", { detail });
}
