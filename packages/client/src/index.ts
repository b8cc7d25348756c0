export type { BatchFailure, BatchItem } from "./batch-item.js";
export type { CallOptions, SendOptions } from "./call-options.js";
export type { Client, DecisionCall } from "./client.js";
export type { ClientOptions } from "./client-options.js";
export { createClient } from "./create-client.js";
export {
  type ClientErrorCode,
  DecernClientError,
  type DecernClientErrorDetails,
} from "./decern-client-error.js";
