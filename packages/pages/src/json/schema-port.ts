import type { Schema } from "@decern/core";
import { resolveSchema } from "./schema.js";
import { isObject, type JsonObject, listOf, numberOf, own, textOf, withProperty } from "./values.js";

/** Where a value breaks a schema. */
interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

/**
 * A schema of the port, made of the JSON Schemas that the service publishes. It knows the keywords that say which values a field may
 * have, and fills in defaults. What it does not know, it allows: the service has the last word.
 *
 * @param sent - of what callers send
 * @param seen - of what validation makes of that
 * @param takesAll - of values that the service has taken, maybe with members that were removed since
 */
export function schemaOf(sent: JsonObject, seen: JsonObject, takesAll = false): Schema {
  return {
    "~standard": {
      version: 1,
      vendor: "decern-pages",
      validate: (value) => {
        const filled = withDefaults(value, sent, sent, maxDepth);
        const issues = takesAll ? [] : issuesIn(filled, sent, sent, []);
        return issues.length === 0 ? { value: filled } : { issues };
      },
      jsonSchema: { input: () => ({ ...sent }), output: () => ({ ...seen }) },
    },
  };
}

/** Deeper values have no columns. */
const maxDepth = 32;

function withDefaults(value: unknown, unresolved: JsonObject, root: JsonObject, depth: number): unknown {
  const schema = resolveSchema(unresolved, root);
  const given = value === undefined ? own(schema, "default") : value;
  const properties = own(schema, "properties");
  if (!isObject(given) || !isObject(properties) || depth === 0) return given;
  let filled = given;
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const before = own(filled, name);
    const after = withDefaults(before, property, root, depth - 1);
    if (after !== before) filled = withProperty(filled, name, after);
  }
  return filled;
}

type Check = (
  value: unknown,
  schema: JsonObject,
  root: JsonObject,
  path: readonly string[],
) => readonly Issue[];

const issuesIn: Check = (value, unresolved, root, path) => {
  if (path.length > maxDepth) return [];
  const schema = resolveSchema(unresolved, root);
  const message = scalarProblem(value, schema);
  if (message !== undefined) return [{ message, path }];
  return [
    ...(isObject(value) ? objectIssues(value, schema, root, path) : []),
    ...(Array.isArray(value) ? arrayIssues(value, schema, root, path) : []),
    ...branchIssues(value, schema, root, path),
  ];
};

/** What is wrong with a value by itself. */
function scalarProblem(value: unknown, schema: JsonObject): string | undefined {
  if (Object.hasOwn(schema, "const") && value !== schema["const"]) return "is not the constant";
  if (listOf(schema, "enum")?.includes(value) === false) return "is not listed";
  const type = own(schema, "type");
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) return `is not ${types.join(" or ")}`;
  if (typeof value === "number") return numberProblem(value, schema);
  return typeof value === "string" ? textProblem(value, schema) : undefined;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

function numberProblem(value: number, schema: JsonObject): string | undefined {
  const least = numberOf(schema, "minimum");
  const above = numberOf(schema, "exclusiveMinimum");
  const most = numberOf(schema, "maximum");
  const below = numberOf(schema, "exclusiveMaximum");
  const step = numberOf(schema, "multipleOf");
  if (least !== undefined && value < least) return "is too small";
  if (above !== undefined && value <= above) return "is too small";
  if (most !== undefined && value > most) return "is too large";
  if (below !== undefined && value >= below) return "is too large";
  // As decimals: 0.3 is a multiple of 0.1.
  if (step !== undefined && !Number.isInteger(Number((value / step).toPrecision(12))))
    return "is between steps";
  return undefined;
}

/** Formats that decide what a field of a table may hold. */
const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/,
  duration: /^-?P(?=.)/,
  email: /^[^@\s]+@[^@\s]+$/,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  uri: /^[a-z][\w+.-]*:/i,
};

function textProblem(value: string, schema: JsonObject): string | undefined {
  const length = [...value].length;
  if (length < (numberOf(schema, "minLength") ?? 0)) return "is too short";
  if (length > (numberOf(schema, "maxLength") ?? length)) return "is too long";
  const format = formats[textOf(schema, "format") ?? ""];
  if (format !== undefined && !format.test(value)) return "has another format";
  const pattern = patternOf(textOf(schema, "pattern"));
  return pattern === undefined || pattern.test(value) ? undefined : "has another form";
}

function patternOf(text: string | undefined): RegExp | undefined {
  if (text === undefined) return undefined;
  try {
    return new RegExp(text, "u");
  } catch {
    return undefined;
  }
}

function objectIssues(value: JsonObject, schema: JsonObject, root: JsonObject, path: readonly string[]) {
  const properties = own(schema, "properties");
  const known = isObject(properties) ? properties : {};
  const rest = own(schema, "additionalProperties");
  const missing = (listOf(schema, "required") ?? []).filter(
    (name): name is string => typeof name === "string" && own(value, name) === undefined,
  );
  return [
    ...missing.map((name) => ({ message: "is missing", path: [...path, name] })),
    ...Object.entries(value).flatMap(([name, member]): readonly Issue[] => {
      const at = [...path, name];
      const property = own(known, name);
      if (isObject(property)) return member === undefined ? [] : issuesIn(member, property, root, at);
      if (isObject(rest)) return issuesIn(member, rest, root, at);
      return rest === false && property === undefined ? [{ message: "is unknown", path: at }] : [];
    }),
  ];
}

function arrayIssues(
  value: readonly unknown[],
  schema: JsonObject,
  root: JsonObject,
  path: readonly string[],
): readonly Issue[] {
  if (value.length < (numberOf(schema, "minItems") ?? 0)) return [{ message: "has too few items", path }];
  if (value.length > (numberOf(schema, "maxItems") ?? value.length))
    return [{ message: "has too many items", path }];
  const items = own(schema, "items");
  return isObject(items)
    ? value.flatMap((item, index) => issuesIn(item, items, root, [...path, String(index)]))
    : [];
}

function branchIssues(value: unknown, schema: JsonObject, root: JsonObject, path: readonly string[]) {
  const failed = ["anyOf", "oneOf"].some((keyword) => {
    const branches = listOf(schema, keyword);
    return branches?.every((branch) => isObject(branch) && issuesIn(value, branch, root, path).length > 0);
  });
  const together = (listOf(schema, "allOf") ?? []).flatMap((part) =>
    isObject(part) ? issuesIn(value, part, root, path) : [],
  );
  return failed ? [...together, { message: "fits no alternative", path }] : together;
}
