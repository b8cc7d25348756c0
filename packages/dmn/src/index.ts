export { type DmnDecision, type DmnDocument, type DmnOptions, loadDmn } from "./load-dmn.js";
export type { Limits, SourcePlace, Warning, WarningCode } from "./values/run.js";
