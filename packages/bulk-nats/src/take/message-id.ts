import type { JsMsg } from "@nats-io/jetstream";
import type { NatsSettings } from "../options.js";

/**
 * Names a message for whatever is published about it: the same whoever publishes, and however often.
 *
 * @param separator - between the parts of the name
 */
export function messageId(
  { seq, timestampNanos }: Pick<JsMsg, "seq" | "timestampNanos">,
  { stream, consumer }: Pick<NatsSettings, "stream" | "consumer">,
  separator = ":",
): string {
  // Another consumer of the stream, which asks another decision, may publish to the same stream of results.
  // A stream that was deleted and created again counts from 1. Without the time of the message, its results would be dropped.
  return [stream, consumer, seq, timestampNanos].join(separator);
}
