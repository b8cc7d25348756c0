export type {
  BatchFailure,
  BatchItem,
  CallOptions,
  Client,
  ClientOptions,
  DecisionCall,
  SendOptions,
} from "./client.js";
export { createClient } from "./create-client.js";
export { type ClientErrorCode, DecernClientError, type DecernClientErrorDetails } from "./read-reply.js";
