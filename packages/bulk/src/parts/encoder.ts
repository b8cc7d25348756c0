import {
  type DecernError,
  type Decision,
  type Result,
  toJsonSchema,
  type UsedEvaluation,
} from "@decern/core";
import { errorBody, toErrorReply } from "@decern/core/host";
import { isJsonObject, schemaNodes } from "@decern/core/schema";
import { compactText, program } from "@decern/core/tools";
import type { BulkStatus } from "../items/bulk-source.js";
import type { ItemForm } from "../items/item-evaluator.js";

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
  /** `undefined` for unreadable input. */
  readonly input: unknown;
  readonly profile: unknown;
  readonly used: readonly UsedEvaluation[];
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
}

export function encodedForm(encoder: PartEncoder): ItemForm<string | undefined> {
  return {
    textOf: (decision, result) => decision[program].stringify(result),
    write: ({ position, key: _key, ...answer }) => encoder.encode({ line: Number(position), ...answer }),
    refuse: (position, error) =>
      encoder.refuse === undefined
        ? `{"line":${position},${errorBody(toErrorReply(error)).slice(1)}`
        : encoder.refuse(Number(position), error),
  };
}

/**
 * A row of CSV for each input, with a column for each property of the output schema. Commas, LF, quotes as in RFC 4180.
 *
 * @param hasHeader - whether the names of the columns come first
 */
export function csvForm(decision: Decision, hasKey: boolean, hasHeader: boolean): ItemForm<string> {
  const properties = propertiesOf(decision);
  const keyName = hasKey ? ["key"] : [];
  const data = properties?.map((name) => `data.${name}`) ?? ["data"];
  const none = data.map(() => undefined);
  const names = ["line", ...keyName, "status", "matchedRule", "error", ...data];
  let header = hasHeader ? rowText(names, "\n") : "";
  const row = (position: string, key: unknown, ...cells: readonly unknown[]): string => {
    const text = header + rowText([position, ...(hasKey ? [key] : []), ...cells]);
    header = "";
    return text;
  };
  return {
    textOf: (decision, result) => decision[program].stringify(result),
    write({ position, key, status, result, error }) {
      if (result?.status !== "OK") {
        return row(position, key, status, undefined, error?.message ?? reasonOf(result), ...none);
      }
      const decided: unknown = JSON.parse(compactText(result));
      const data = isJsonObject(decided) ? decided["data"] : undefined;
      const cells = properties?.map((name) =>
        isJsonObject(data) && Object.hasOwn(data, name) ? data[name] : undefined,
      );
      return row(position, key, status, result.meta.matchedRule, undefined, ...(cells ?? [data]));
    },
    refuse: (position, error) => row(position, undefined, "INVALID_JSON", undefined, error.message, ...none),
  };
}

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

function rowText(cells: readonly unknown[], end = ""): string {
  return cells.map(cellText).join(",") + end;
}

/** Empty for `undefined` and `null`, quotes for an empty string, JSON for objects and lists. */
function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
