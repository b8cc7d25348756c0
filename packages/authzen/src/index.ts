export type { AccessRequest, Action, Resource, Subject } from "./access-request.js";
export type { AuthzenOptions } from "./authzen.js";
export { authzen } from "./authzen.js";
