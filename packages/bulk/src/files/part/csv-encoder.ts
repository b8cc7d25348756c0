import { type Decision, type Result, toJsonSchema } from "@decern/core";
import { isJsonObject, schemaNodes } from "@decern/core/schema";
import { compactText } from "@decern/core/tools";
import { keyReader } from "../../key-of.js";
import type { PartEncoder } from "./bulk-encoder.js";

export interface CsvEncoderOptions {
  readonly decision: Decision;
  /** JSON Pointer to the key of an input. */
  readonly key: string | undefined;
  /** Whether the names of the columns come first. */
  readonly hasHeader: boolean;
}

/** Writes a row of CSV for each input, with a column for each property of the output schema. Commas, LF, quotes as in RFC 4180. */
export function csvEncoder({ decision, key, hasHeader }: CsvEncoderOptions): PartEncoder {
  const properties = propertiesOf(decision);
  const keyOf = key === undefined ? undefined : keyReader(key);
  const row = (line: number, input: unknown, ...cells: readonly unknown[]): string =>
    [line, ...(keyOf === undefined ? [] : [keyOf(input)]), ...cells].map(cellText).join(",");
  const none = properties === undefined ? [undefined] : properties.map(() => undefined);
  const data = properties === undefined ? ["data"] : properties.map((name) => `data.${name}`);
  const columns = ["line", ...(key === undefined ? [] : ["key"]), "status", "matchedRule", "error", ...data];
  let header = hasHeader ? `${columns.map(cellText).join(",")}\n` : "";
  const withHeader = (text: string): string => {
    const whole = header + text;
    header = "";
    return whole;
  };
  return {
    encode({ line, input, status, result, error }) {
      if (result?.status !== "OK") {
        return withHeader(row(line, input, status, undefined, error?.message ?? reasonOf(result), ...none));
      }
      const decided: unknown = JSON.parse(compactText(result));
      const data = isJsonObject(decided) ? decided["data"] : undefined;
      const cells =
        properties === undefined
          ? [data]
          : properties.map((name) =>
              isJsonObject(data) && Object.hasOwn(data, name) ? data[name] : undefined,
            );
      return withHeader(row(line, input, status, result.meta.matchedRule, undefined, ...cells));
    },
    refuse: (line, error) =>
      withHeader(row(line, undefined, "INVALID_JSON", undefined, error.message, ...none)),
  };
}

/** `undefined` for an output that is no object with known properties. */
function propertiesOf({ outputSchema }: Decision): readonly string[] | undefined {
  try {
    const schema = toJsonSchema(outputSchema, "output");
    const nodes = schemaNodes(schema, schema).map(({ properties }) => properties);
    const names = new Set(nodes.flatMap((properties) => Object.keys(Object(properties))));
    return names.size === 0 ? undefined : [...names];
  } catch {
    return undefined;
  }
}

function reasonOf(result: Result | undefined): string | undefined {
  if (result === undefined || result.status === "OK" || result.status === "NO_MATCH") return undefined;
  return result.errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
}

/** Nothing for what is absent or null, quotes for an empty text, JSON text for objects and lists. */
function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
