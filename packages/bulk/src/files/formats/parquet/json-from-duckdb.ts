import type { DuckDBValue } from "@duckdb/node-api";
import { isExactNumber } from "../json-from-text.js";
import type { Wanted } from "../wanted.js";
import type { DuckDBPackage } from "./duckdb.js";

/** Converts a DuckDB value to the JSON that the schema expects there; `undefined` if it is absent. */
export type JsonFromDuckDB = (value: DuckDBValue) => string | undefined;

/**
 * Chooses how values are written at a place of the input.
 *
 * - Numbers: as a number where the schema takes one and JavaScript can hold it, else as text where it takes text. Whole numbers beyond
 *   2^53 that would be rounded, and `NaN`, are text always
 * - Dates and times: text of ISO 8601, `2026-03-01`, `12:30:00`; timestamps `2026-03-01T12:30:00.25`, with a `Z` where they are an
 *   instant
 * - Bytes: text in Base64
 * - `NULL`: absence, or `null` where the schema insists on a value; within a list, `null`
 */
export function jsonFromDuckDB(duckdb: DuckDBPackage, wanted: Wanted): JsonFromDuckDB {
  const nothing = wanted.forNothing;
  const takesNumber = wanted.takes("number") || !wanted.takes("string") || !wanted.isKnown;
  const numberFrom = (text: string): string =>
    takesNumber && isExactNumber(text) ? text : JSON.stringify(text);
  const members = new Map<string, JsonFromDuckDB>();
  const memberFrom = (name: string, value: DuckDBValue): string | undefined => {
    let from = members.get(name);
    if (from === undefined) {
      from = jsonFromDuckDB(duckdb, wanted.at(name));
      members.set(name, from);
    }
    return from(value);
  };
  let itemFrom: JsonFromDuckDB | undefined;
  const listFrom = (items: readonly DuckDBValue[]): string => {
    itemFrom ??= jsonFromDuckDB(duckdb, wanted.items);
    const from = itemFrom;
    return `[${items.map((item) => from(item) ?? "null").join(",")}]`;
  };
  const objectFrom = (entries: readonly (readonly [string, DuckDBValue])[]): string => {
    const texts = entries.flatMap(([name, value]) => {
      const text = memberFrom(name, value);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return `{${texts.join(",")}}`;
  };
  return (value) => {
    if (value === null) return nothing;
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value === "boolean") return value ? "true" : "false";
    if (typeof value === "number" || typeof value === "bigint") return numberFrom(String(value));
    if (value instanceof duckdb.DuckDBDecimalValue) return numberFrom(value.toString());
    if (value instanceof duckdb.DuckDBTimestampTZValue) {
      return JSON.stringify(`${isoText(new duckdb.DuckDBTimestampValue(value.micros))}Z`);
    }
    if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) {
      return listFrom(value.items);
    }
    if (value instanceof duckdb.DuckDBStructValue) return objectFrom(Object.entries(value.entries));
    if (value instanceof duckdb.DuckDBMapValue) {
      return objectFrom(value.entries.map((entry) => [String(entry.key), entry.value] as const));
    }
    if (value instanceof duckdb.DuckDBUnionValue) return jsonFromDuckDB(duckdb, wanted)(value.value);
    if (value instanceof duckdb.DuckDBBlobValue) {
      return JSON.stringify(Buffer.from(value.bytes).toString("base64"));
    }
    return JSON.stringify(isoText(value));
  };
}

/** DuckDB writes a blank between the date and the time. */
function isoText(value: object): string {
  return String(value).replace(/^(\d{4,}-\d{2}-\d{2}) /, "$1T");
}
