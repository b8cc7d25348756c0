import { type Decision, type Schema, toJsonSchema } from "@decern/core";
import { envelopeSchemas, isJsonObject, mapSubschemas } from "@decern/core/schema";

type JsonSchema = ReturnType<typeof toJsonSchema>;

/** Members of a payload that Decern names itself, beside those of an envelope. */
const ownNames = ["data", "code", "id", "version", "profileHash", "result", "used"];

/** The names of members that the schemas of a decision, or of one that it uses, have: whoever reads a record knows them. */
export function declaredNames(decision: Decision): ReadonlySet<string> {
  const names = new Set(ownNames);
  for (const part of Object.values(envelopeSchemas())) addNames(part, names);
  addDecision(decision, names);
  return names;
}

function addDecision({ inputSchema, outputSchema, profileSchema, uses }: Decision, names: Set<string>): void {
  addNames(jsonSchemaOf(inputSchema, "input"), names);
  addNames(jsonSchemaOf(outputSchema, "output"), names);
  addNames(jsonSchemaOf(profileSchema, "input"), names);
  for (const used of uses) addDecision(used, names);
}

/** A schema without a JSON form declares nothing: then every name counts as data. */
function jsonSchemaOf(schema: Schema, direction: "input" | "output"): JsonSchema {
  try {
    return toJsonSchema(schema, direction);
  } catch {
    return {};
  }
}

function addNames(schema: JsonSchema, names: Set<string>): void {
  const { properties, propertyNames } = schema;
  if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  // A map whose keys are listed.
  const listed = isJsonObject(propertyNames) ? (propertyNames["enum"] ?? [propertyNames["const"]]) : [];
  if (Array.isArray(listed)) for (const name of listed) if (typeof name === "string") names.add(name);
  mapSubschemas(schema, (subschema) => {
    addNames(subschema, names);
    return subschema;
  });
}
