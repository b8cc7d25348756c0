import { toJsonSchema } from "@decern/core";
import type { InputFormat } from "../input-format.js";
import { Wanted } from "../wanted.js";
import { ParquetReader } from "./parquet-reader.js";
import { ParquetScanner } from "./parquet-scanner.js";

/** Parquet, read by DuckDB. The line of an input is the number of its row, from 1. */
export const parquetFormat: InputFormat = {
  name: "parquet",
  // Each would need a database of its own, of some 50 MB.
  lanes: 1,
  scanner: (options) => new ParquetScanner(options),
  open: ({ path, decision }) => ParquetReader.open(path, Wanted.ofInput(toJsonSchema(decision.inputSchema))),
};
