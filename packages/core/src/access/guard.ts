import { type Awaitable, isThenable } from "../awaitable.js";
import type { GuardedExchange } from "../host/exchange.js";
import { asThrowable, handOver } from "../host/host-error.js";
import { errorBody, tableReply } from "../host/outcome-table.js";
import type { Result } from "../program/result.js";
import type { AccessCheck, AccessVerdict } from "./access-check.js";

/**
 * Lets a request through when the access check says yes, and replies to it or fails otherwise: what every guard does.
 *
 * @param onDeny - the host's callback, which may reply itself
 */
export function guard<Request, Output>(
  check: AccessCheck<Request, Output>,
  request: Request,
  exchange: GuardedExchange<Output>,
  onDeny?: ((result: Result<Output>) => unknown) | undefined,
): void {
  const fail = (thrown: unknown): void => exchange.fail(asThrowable(thrown), exchange.requestId);
  let verdict: Awaitable<AccessVerdict<Output>>;
  try {
    verdict = check(request, exchange.requestId, (result) => {
      exchange.onDecided(result);
      return onDeny?.(result);
    });
  } catch (thrown) {
    return fail(thrown);
  }
  if (isThenable(verdict)) verdict.then((settled) => act(settled, exchange)).then(undefined, fail);
  else act(verdict, exchange);
}

function act<Output>(verdict: AccessVerdict<Output>, exchange: GuardedExchange<Output>): void {
  const { requestId, headers } = verdict.reply;
  exchange.onDecided(verdict.result);
  if (verdict.result === undefined) {
    handOver(verdict.thrown, requestId, exchange);
  } else if (exchange.hasBegun()) {
    // Other code has replied instead of the handler.
    exchange.leave();
  } else if (verdict.allowed) {
    exchange.pass(requestId, headers);
  } else {
    const denial = tableReply("ACCESS_DENIED");
    exchange.write(denial.status, errorBody(denial), requestId, headers);
  }
}
