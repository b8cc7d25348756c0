import { ignoreRejection } from "../awaitable.js";
import { DecernError } from "../errors.js";
import type { RequestView } from "../hooks/request-view.js";
import type { CallOrigin } from "../host/chosen-call.js";
import { HostRequestView, type RequestAccess } from "./host-request-view.js";

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
  return (request) => ({
    caller: caller === undefined ? undefined : nameOf(caller(request)),
    request: new HostRequestView(request, access),
    traceparent: traceparentOf(access.headers(request)["traceparent"]),
  });
}

/** W3C Trace Context: version, trace id, parent id and flags. Version `ff` is invalid, and only versions after `00` may say more. */
const traceparentPattern =
  /^(?!ff|00-.{53})[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-[!-~]{1,200})?$/;

function traceparentOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" && traceparentPattern.test(header) ? header : undefined;
}

function nameOf(named: unknown): string | undefined {
  if (named === undefined || (typeof named === "string" && named !== "")) return named;
  // An asynchronous callback must not end the process.
  ignoreRejection(named);
  const detail = "caller must return a string that is not empty, or undefined for an unknown caller";
  throw new DecernError("INTERNAL_ERROR", { detail });
}
