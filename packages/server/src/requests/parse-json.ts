export { parseJsonBody as parseJson } from "@decern/core/host";
