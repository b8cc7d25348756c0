import type { Reply } from "../model/reply.js";
import type { SharedCall } from "../model/share-link.js";

/** A call and its answer, to be compared with another one. */
export interface Run {
  readonly call: SharedCall;
  readonly reply: Reply;
}
