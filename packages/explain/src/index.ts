export { type ExplainOptions, explain } from "./explain.js";
