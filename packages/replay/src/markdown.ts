export { code, fitting, type Part, plain, table } from "./report/markdown.js";
