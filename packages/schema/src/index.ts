export { extractDecisionSchema } from "@decern/core";
export { toJsonSchema } from "./export/to-json-schema.js";
export { type TypeboxOptions, type TypeboxSchema, typebox, type WithoutDefaults } from "./typebox.js";
