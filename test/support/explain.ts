export { explain } from "../../packages/explain/src/index.js";
