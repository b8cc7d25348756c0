import { DecernError, type ErrorCode, type Logger } from "@decern/core";
import { type ErrorReply, toErrorReply } from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import { BatchRefusal } from "./batch-refusal.js";

/** Makes the function that says why a request as a whole is not answered, and logs what is the host's fault. */
export function failureReader(given: Logger): (thrown: unknown) => ErrorReply {
  const logger = neverThrowing(given);
  return (thrown) => {
    if (thrown instanceof BatchRefusal) return thrown.reply;
    const reply = toErrorReply(asRefusal(thrown));
    if (reply.status >= 500 || ownFaults.has(reply.code))
      logger.error({ err: readable(thrown) }, "A request of a warehouse failed");
    return reply;
  };
}

/** Faults of the host, whatever their status: engines must not ask again. */
const ownFaults: ReadonlySet<string> = new Set<ErrorCode>(["INVALID_HOST_PROFILE", "INTERNAL_ERROR"]);

/** A callback refuses a request with an error that carries a 4xx status. */
function asRefusal(thrown: unknown): unknown {
  if (thrown instanceof DecernError) return thrown;
  const cause = readable(thrown);
  const statusCode =
    typeof cause === "object" && cause !== null && "statusCode" in cause ? cause.statusCode : undefined;
  return typeof statusCode === "number" && statusCode >= 400 && statusCode <= 499
    ? new DecernError("EVALUATION_ABORTED", { statusCode, cause })
    : thrown;
}
