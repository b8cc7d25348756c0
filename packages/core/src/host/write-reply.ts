import type { DecisionReply } from "./decision-reply.js";
import type { Exchange } from "./exchange.js";
import { handOver } from "./host-error.js";

/** Ends an exchange with a reply, unless the host's other code has ended it. */
export function writeReply<Output>(reply: DecisionReply<Output>, exchange: Exchange<Output>): void {
  const { status, body, requestId, headers, hostError, afterwards } = reply;
  if (hostError !== undefined && exchange.handsOverHostErrors) {
    handOver(hostError.thrown, requestId, exchange);
  } else if (exchange.hasBegun()) {
    exchange.leave();
  } else {
    exchange.write(status, body, requestId, headers);
  }
  if (afterwards === undefined) return;
  if (exchange.whenWritten === undefined) setImmediate(afterwards);
  else exchange.whenWritten(afterwards);
}
