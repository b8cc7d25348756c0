export { type NdjsonFilesOptions, ndjsonFiles } from "./files/ndjson-files.js";
