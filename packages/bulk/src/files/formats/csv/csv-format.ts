import { toJsonSchema } from "@decern/core";
import type { InputFormat } from "../input-format.js";
import { Wanted } from "../wanted.js";
import { CsvColumns } from "./csv-columns.js";
import { CsvReader } from "./csv-reader.js";
import { CsvScanner } from "./csv-scanner.js";

/**
 * CSV as RFC 4180 describes it. The first record names the columns; cells are read as the decision's schema wants them. A line that is
 * blank is no record.
 */
export const csvFormat: InputFormat = {
  name: "csv",
  lanes: 2,
  scanner: ({ partBytes }) => new CsvScanner(partBytes),
  open: async ({ path, maxLine, details, decision }) => {
    const columns = new CsvColumns(headerOf(details), Wanted.ofInput(toJsonSchema(decision.inputSchema)));
    return await CsvReader.open(path, columns, maxLine);
  },
};

function headerOf(details: unknown): string {
  const { header }: { readonly header?: unknown } = Object(details);
  if (typeof header !== "string") throw new TypeError("The details of a CSV file have no header");
  return header;
}
