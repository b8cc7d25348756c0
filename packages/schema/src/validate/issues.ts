import { escapePointer, pointerTokens, type SchemaIssue } from "@decern/core/schema";
import type { ErrorObject } from "ajv";

/** One place in a value that does not match the schema. */
export class Issue implements SchemaIssue {
  readonly pointer: string;
  readonly message: string;
  readonly keyword: string;

  constructor(pointer: string, message: string, keyword: string) {
    this.pointer = pointer;
    this.message = message;
    this.keyword = keyword;
  }

  /** Computed on demand, because core reads `pointer` instead. */
  get path(): readonly string[] {
    return pointerTokens(this.pointer);
  }

  /** The same issue, for a value that contains the failing one at `pointer`. */
  under(pointer: string): Issue {
    return pointer === "" ? this : new Issue(pointer + this.pointer, this.message, this.keyword);
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

const comparisons: Readonly<Record<string, string>> = {
  "<": "less than",
  "<=": "at most",
  ">": "more than",
  ">=": "at least",
};

type Params = ErrorObject["params"];

const limit = ({ comparison, limit }: Params): string =>
  `must be ${comparisons[comparison] ?? comparison} ${limit}`;

function counted(bound: "least" | "most", one: string, many: string): (params: Params) => string {
  return ({ limit }) => `must have at ${bound} ${limit} ${limit === 1 ? one : many}`;
}

/** What the schema expects, as the rest of a sentence that starts with the field's name. Never contains the value. */
const messages: Readonly<Record<string, string | ((params: Params) => string)>> = {
  type: ({ type }) => typeMessage(type),
  required: "is required",
  enum: ({ allowedValues }) => valuesMessage(allowedValues),
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: counted("least", "character", "characters"),
  maxLength: counted("most", "character", "characters"),
  minItems: counted("least", "item", "items"),
  maxItems: counted("most", "item", "items"),
  additionalItems: counted("most", "item", "items"),
  uniqueItems: "must not have the same item twice",
  minProperties: (params) =>
    params["limit"] === 1 ? "must not be empty" : counted("least", "property", "properties")(params),
  maxProperties: counted("most", "property", "properties"),
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => formatMessage(format),
  additionalProperties: "is not an allowed property",
  propertyNames: "is not an allowed property name",
  contains: "must have at least one item of the required kind",
};

/** What errors say of each place in one schema, by AJV's path to it: the same whatever the value, so it is written once. */
export type Messages = Map<string, string>;

function messageOf(error: ErrorObject, known: Messages): string {
  let message = known.get(error.schemaPath);
  if (message === undefined) {
    message = writeMessage(error);
    known.set(error.schemaPath, message);
  }
  return message;
}

function writeMessage({ keyword, params }: ErrorObject): string {
  const message = messages[keyword] ?? "is not allowed";
  return typeof message === "string" ? message : message(params);
}

const formats: Readonly<Record<string, string>> = {
  byte: "base64 text",
  date: "a date (YYYY-MM-DD)",
  "date-time": "a date and time with a time zone, such as 2026-01-31T09:30:00Z",
  duration: "an ISO 8601 duration, such as P1DT12H",
  email: "an email address",
  hostname: "a host name",
  int32: "a 32-bit integer",
  int64: "a 64-bit integer",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  "iso-date-time": "a date and time, such as 2026-01-31T09:30:00Z",
  "iso-time": "a time, such as 09:30:00",
  "json-pointer": "a JSON Pointer",
  regex: "a regular expression",
  time: "a time with a time zone, such as 09:30:00Z",
  uri: "a URI",
  "uri-reference": "a URI or a relative reference",
  uuid: "a UUID",
};

function formatMessage(format: unknown): string {
  const name = String(format);
  return Object.hasOwn(formats, name) ? `must be ${formats[name]}` : `must have the format ${name}`;
}

/** "must be a string or null", for one type or several. */
export function typeMessage(types: unknown): string {
  const only = typeof types === "string" ? typeNames[types] : undefined;
  if (only !== undefined) return `must be ${only}`;
  const names: readonly unknown[] = Array.isArray(types) ? types : String(types).split(",");
  const known = names.map((name) => typeNames[String(name)] ?? String(name));
  const last = known.pop() ?? "";
  return `must be ${known.length === 0 ? last : `${known.join(", ")} or ${last}`}`;
}

const texts = new WeakMap<readonly unknown[], string>();

/** Lists the allowed values. The list belongs to the schema, so its text is made once. */
export function valuesMessage(values: unknown): string {
  if (!Array.isArray(values)) return "is not one of the allowed values";
  let text = texts.get(values);
  if (text === undefined) {
    const list = values.map((value) => JSON.stringify(value)).join(", ");
    text = `must be ${values.length === 1 ? "" : "one of "}${list}`;
    texts.set(values, text);
  }
  return text;
}

/** Core sends at most this many. */
const maxIssues = 20;

/** Converts AJV's errors to issues. @param known - of the schema that they are about */
export function toIssues(errors: readonly ErrorObject[], known: Messages): readonly Issue[] {
  const issues: Issue[] = [];
  // The branches of an `allOf` may ask for the same.
  const add = (issue: Issue): void => {
    const { pointer, message } = issue;
    if (!issues.some((one) => one.pointer === pointer && one.message === message)) issues.push(issue);
  };
  for (const error of errors) {
    if (issues.length >= maxIssues) break;
    const nested: unknown = error.params["issues"];
    if (Array.isArray(nested)) {
      for (const issue of nested) if (issue instanceof Issue) add(issue.under(error.instancePath));
    } else if (error.keyword !== "if" && error.propertyName === undefined) {
      // AJV also reports the keyword that contains a failing `if` branch or property name; that error is enough.
      add(new Issue(pointerOf(error), messageOf(error, known), error.keyword));
    }
  }
  return issues.length > maxIssues ? issues.slice(0, maxIssues) : issues;
}

/** Points to the missing or surplus field instead of the object that has or lacks it. */
function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return `${instancePath}/${escapePointer(String(params["missingProperty"]))}`;
    case "additionalProperties":
      return `${instancePath}/${escapePointer(String(params["additionalProperty"]))}`;
    case "propertyNames":
      return `${instancePath}/${escapePointer(String(params["propertyName"]))}`;
    default:
      return instancePath;
  }
}
