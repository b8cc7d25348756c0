import type { InputFormat } from "./input-format.js";
import { NdjsonReader } from "./ndjson-reader.js";
import { NdjsonScanner } from "./ndjson-scanner.js";

/** JSON in lines. An empty line is an input too, and no JSON. */
export const ndjsonFormat: InputFormat = {
  name: "ndjson",
  lanes: 2,
  scanner: ({ partBytes }) => new NdjsonScanner(partBytes),
  open: ({ path, maxLine }) => NdjsonReader.open(path, maxLine),
};
