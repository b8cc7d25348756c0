import { extname } from "node:path";
import { DecernError } from "@decern/core";
import { csvFormat } from "./csv.js";
import type { InputFormat, InputFormatName } from "./input-format.js";
import { ndjsonFormat } from "./ndjson.js";
import { parquetFormat } from "./parquet.js";

const formats: readonly InputFormat[] = [ndjsonFormat, csvFormat, parquetFormat];

const endings: Readonly<Record<string, InputFormatName>> = {
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".csv": "csv",
  ".parquet": "parquet",
};

export function formatNamed(name: InputFormatName): InputFormat {
  const format = formats.find((one) => one.name === name);
  if (format === undefined) throw new TypeError(`there is no format ${name}`);
  return format;
}

/**
 * The format that a file is in.
 *
 * @throws DecernError `INVALID_OPTIONS` where its name does not tell
 */
export function formatOf(path: string, given: InputFormatName | undefined): InputFormat {
  const ending = extname(path).toLowerCase();
  const name = given ?? (Object.hasOwn(endings, ending) ? endings[ending] : undefined);
  const format = formats.find((one) => one.name === name);
  if (format !== undefined) return format;
  const message = `is required, because the input's name does not end with any of ${Object.keys(endings).join(", ")}`;
  throw new DecernError("INVALID_OPTIONS", {
    detail: "bulkFile",
    problems: [{ path: "/format", message }],
  });
}
