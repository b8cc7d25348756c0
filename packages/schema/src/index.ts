export { extractDecisionSchema } from "@decern/core";
export { toJsonSchema } from "./export/to-json-schema.js";
export { type TypeboxOptions, typebox } from "./typebox.js";
