export { ofrep } from "./ofrep.js";
export type { EvaluationContext, Flag, FlagOptions, OfrepOptions } from "./options.js";
