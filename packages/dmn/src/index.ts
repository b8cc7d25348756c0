export type { PlainTable } from "./analysis/plain-table.js";
export { analyzeDmnTables, type DmnTableAnalysis, type TableOutcome } from "./analyze-dmn-tables.js";
export { dmnContract } from "./dmn-contract.js";
export { loadDmn } from "./load-dmn.js";
export type { DmnDocument, DmnOptions } from "./options.js";
export { withImportedDmn } from "./read-program.js";
export { checkDmn, type DmnFinding } from "./tools/check-dmn.js";
export { type DmnNodeResult, type DmnTestResult, testDmn } from "./tools/test-dmn.js";
export type { SourcePlace, Warning, WarningCode } from "./values/run.js";
