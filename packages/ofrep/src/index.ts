export type { Flag } from "./flag.js";
export { ofrep } from "./ofrep.js";
export type { EvaluationContext, FlagOptions, OfrepOptions } from "./options.js";
