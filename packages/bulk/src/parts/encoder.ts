import {
  type DecernError,
  type Decision,
  type Result,
  toJsonSchema,
  type UsedEvaluation,
} from "@decern/core";
import { isJsonObject, schemaNodes } from "@decern/core/schema";
import { compactText } from "@decern/core/tools";
import type { BulkStatus } from "../items/bulk-source.js";
import { keyReader } from "../items/item-evaluator.js";

/** A way to write results, besides `compact` and `envelope`. */
export interface BulkEncoder {
  /** Chosen with `emit`. */
  readonly name: string;
  /** Called once for each part. Its result must depend only on its arguments, because a part may be evaluated again. */
  encodePart(part: EncodedPart): PartEncoder;
}

/** The part whose results are written. */
export interface EncodedPart {
  /** Number of the first input's line, from 1. */
  readonly firstLine: number;
  /** The instant of all evaluations, in milliseconds since the Unix epoch. */
  readonly epochMs: number;
  readonly build: string | undefined;
  /** Random bytes of the job, the same in all of its runs. They are deleted when the job has finished. */
  readonly secret: Uint8Array;
}

/** Writes the results of one part, in order. */
export interface PartEncoder {
  /** @returns JSON text on one line, without a line break at the end */
  encode(answer: BulkAnswer): string;
  /**
   * Writes the result of an unreadable line: one that is not JSON or too long.
   *
   * @returns `undefined` to leave it out
   * @default `{"line":…,"error":…,"code":…}`
   */
  refuse?(line: number, error: DecernError): string | undefined;
}

/** The result of one input. */
export interface BulkAnswer {
  readonly line: number;
  readonly status: BulkStatus;
  readonly decision: Decision;
  /** `undefined` for what was not JSON. */
  readonly input: unknown;
  readonly profile: unknown;
  readonly used: readonly UsedEvaluation[];
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
}

interface CsvEncoderOptions {
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

/** `undefined` for an output that isn't an object with known properties. */
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
