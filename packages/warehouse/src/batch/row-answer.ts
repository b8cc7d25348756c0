import type { DecernError } from "@decern/core";
import { type ReplyEncoder, toErrorReply } from "@decern/core/host";
import { compactText } from "@decern/core/tools";

/** What a row that could not be evaluated answers, as JSON text. Faults are masked. */
export function faultText(error: unknown): string {
  const { code, message } = toErrorReply(error);
  return JSON.stringify({ status: "ERROR", code, error: message });
}

/** Writes the answer of one row as compact JSON. */
export const rowEncoder: ReplyEncoder = {
  takesRequests: true,
  result: (result, { requestId }) => ({
    status: 200,
    body: compactText(result),
    requestId,
    afterwards: undefined,
    result,
    error: undefined,
    hostError: undefined,
  }),
  fault: (error: DecernError, { requestId }) => ({
    status: 200,
    body: faultText(error),
    requestId,
    afterwards: undefined,
    result: undefined,
    error,
    hostError: undefined,
  }),
};
