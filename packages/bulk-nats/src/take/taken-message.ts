import type { BulkItem } from "@decern/core";
import type { JsMsg } from "@nats-io/jetstream";

/** A message and the inputs in it. */
export interface TakenMessage {
  readonly message: JsMsg;
  readonly items: readonly BulkItem[];
}
