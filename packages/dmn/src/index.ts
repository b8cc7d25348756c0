export { loadDmn } from "./load-dmn.js";
export type { DmnDocument, DmnOptions } from "./options.js";
export type { SourcePlace, Warning, WarningCode } from "./values/run.js";
