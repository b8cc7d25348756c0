export type { AccessRequest, Action, Resource, Subject } from "./access-request.js";
export { authzen } from "./authzen.js";
export type { AuthzenOptions } from "./options.js";
