import type { Schema } from "@decern/core";
import type { JsonSchemaOptions, SchemaIssue } from "@decern/core/schema";
import { FeelSyntaxError } from "../syntax/node.js";
import { Grammar } from "../syntax/parse.js";
import { defaultLimits, type Limits, Run } from "../values/run.js";
import type { Type } from "../values/value.js";
import { fromJson, isPlainContext } from "./json-values.js";

type JsonObject = Record<string, unknown>;

const dialects: Readonly<Record<string, string>> = {
  "draft-07": "http://json-schema.org/draft-07/schema#",
  "draft-2020-12": "https://json-schema.org/draft/2020-12/schema",
};

/** Whether a value is of a type does not depend on the time. */
const epoch = { now: new Date(0) };

/**
 * A schema of the values of a type. It returns what it is given.
 *
 * @param isNullable - whether null is one of them, which parts of a value can be in any case
 */
export function typeSchema(type: Type, limits: Limits, isNullable: boolean): Schema {
  const issuesOf = (value: unknown): readonly SchemaIssue[] | undefined => {
    if (type.kind === "context" && isPlainContext(value, type.entries, limits.text)) return undefined;
    if (value === null && !isNullable) return [{ pointer: "", keyword: "type", message: "must not be null" }];
    const reading = { run: new Run(epoch, limits), issues: [] };
    fromJson(value, type, "", reading);
    return reading.issues.length === 0 ? undefined : reading.issues;
  };
  const validate = (value: unknown) => {
    const issues = issuesOf(value);
    return issues === undefined ? { value } : { issues };
  };
  const json = ({ target }: JsonSchemaOptions): JsonObject => {
    const dialect = Object.hasOwn(dialects, target) ? dialects[target] : undefined;
    if (dialect === undefined) throw new Error(`the dialect ${target} is not supported`);
    return { $schema: dialect, ...(isNullable ? jsonSchemaOf(type) : plainSchemaOf(type)) };
  };
  return {
    "~standard": {
      version: 1,
      vendor: "decern-dmn",
      validate: Object.assign(validate, { issuesOf }),
      jsonSchema: { input: json, output: json },
    },
  };
}

function jsonSchemaOf(type: Type): JsonObject {
  const schema = plainSchemaOf(type);
  const hasNull = type.kind === "any" || schema["type"] === "null";
  return hasNull || !isNullOf(type) ? schema : { anyOf: [schema, { type: "null" }] };
}

/** Whether null is a value of a type: of every one whose tests don't exclude it. */
function isNullOf(type: Type): boolean {
  return (
    type.kind !== "restricted" || (isNullOf(type.base) && type.allows(null, new Run(epoch, defaultLimits)))
  );
}

function plainSchemaOf(type: Type): JsonObject {
  switch (type.kind) {
    case "any":
      return {};
    case "null":
    case "boolean":
    case "number":
    case "string":
      return { type: type.kind };
    case "date":
      return { type: "string", format: "date" };
    case "time":
      return { type: "string", description: "An ISO 8601 time, with or without an offset" };
    case "date and time":
      return { type: "string", description: "An ISO 8601 date and time, with or without an offset" };
    case "days and time duration":
      return { type: "string", description: "An ISO 8601 duration of days, hours, minutes and seconds" };
    case "years and months duration":
      return { type: "string", description: "An ISO 8601 duration of years and months" };
    case "list":
      return { type: "array", items: jsonSchemaOf(type.of) };
    case "context": {
      const entries = [...type.entries];
      return {
        type: "object",
        properties: Object.fromEntries(entries.map(([name, of]) => [name, jsonSchemaOf(of)])),
        required: entries.filter(([, of]) => of.kind !== "any").map(([name]) => name),
      };
    }
    case "range":
      return { type: "string", description: "A range" };
    case "function":
      return { type: "null" };
    case "restricted":
      return restricted(plainSchemaOf(type.base), type.tests);
  }
}

const grammar = new Grammar({});

/** What JSON Schema can say of the tests: a list of literals, or limits of numbers. */
function restricted(base: JsonObject, tests: string): JsonObject {
  const described = { ...base, description: `Must meet ${tests}` };
  const isScalar = base["type"] === "string" || base["type"] === "number";
  if (!isScalar || "description" in base || "format" in base) return described;
  try {
    const { isAny, isNegated, tests: nodes } = grammar.unaryTests(tests);
    if (isAny || isNegated) return isAny ? base : described;
    const values = nodes.flatMap((node) => (node.kind === "literal" ? [node.value] : []));
    if (values.length === nodes.length) return { ...base, enum: values };
    return base["type"] === "number" && nodes.length === 1 ? { ...base, ...limitsOf(nodes[0]) } : described;
  } catch (error) {
    if (error instanceof FeelSyntaxError) return described;
    throw error;
  }
}

type TestNode = ReturnType<Grammar["unaryTests"]>["tests"][number];

function limitsOf(node: TestNode | undefined): JsonObject {
  if (node?.kind === "test" && node.endpoint.kind === "literal") {
    const { value } = node.endpoint;
    if (node.operator === "<") return { exclusiveMaximum: value };
    if (node.operator === "<=") return { maximum: value };
    if (node.operator === ">") return { exclusiveMinimum: value };
    return node.operator === ">=" ? { minimum: value } : {};
  }
  if (node?.kind !== "range" || node.start.kind !== "literal" || node.end.kind !== "literal") return {};
  return {
    [node.startIncluded ? "minimum" : "exclusiveMinimum"]: node.start.value,
    [node.endIncluded ? "maximum" : "exclusiveMaximum"]: node.end.value,
  };
}
