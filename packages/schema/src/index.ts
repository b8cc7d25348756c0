export { extractDecisionSchema } from "@decern/core";
export { toJsonSchema } from "./json-schema.js";
export { type InputOfType, type TypeboxOptions, type TypeboxSchema, typebox } from "./typebox.js";
