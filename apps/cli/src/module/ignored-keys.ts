import { type Decision, type JsonSchema, type Problem, toJsonSchema } from "@decern/core";
import { escapePointer, isJsonObject, schemaNodes } from "@decern/core/schema";
import { closest } from "../command-line/closest.js";

type Path = readonly (string | number)[];

/**
 * Finds members of a value that its schema does not name and does not refuse: most often, a name with a typing mistake. A schema
 * without a JSON Schema names nothing, and one that allows other members on purpose ignores none.
 *
 * @param path - of the value, for the pointers that are returned
 */
export function ignoredKeys(
  schema: Decision["profileSchema"],
  value: unknown,
  path: Path,
): readonly Problem[] {
  let root: JsonSchema;
  try {
    root = toJsonSchema(schema, "input");
  } catch {
    return [];
  }
  return ignoredAt(value, schemaNodes(root, root), root, path);
}

function ignoredAt(
  value: unknown,
  nodes: readonly JsonSchema[],
  root: JsonSchema,
  path: Path,
): readonly Problem[] {
  const nodesOf = (schemas: readonly unknown[]): readonly JsonSchema[] =>
    schemas.flatMap((schema) => schemaNodes(schema, root));
  if (Array.isArray(value)) {
    const items = nodesOf(nodes.map((node) => node["items"]));
    return value.flatMap((item, index) => ignoredAt(item, items, root, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  const shapes = nodes.filter(takesObjects);
  return Object.entries(value).flatMap(([name, member]) => {
    const named = shapes.filter((node) => Object.hasOwn(propertiesOf(node), name));
    const at = [...path, name];
    if (named.length > 0) {
      const below = nodesOf(named.map((node) => propertiesOf(node)[name]));
      return ignoredAt(member, below, root, at);
    }
    if (shapes.length > 0 && shapes.every(ignoresOthers)) return [ignored(at, shapes)];
    const others = nodesOf(shapes.map(({ additionalProperties }) => additionalProperties));
    return ignoredAt(member, others, root, at);
  });
}

function ignored(path: Path, shapes: readonly JsonSchema[]): Problem {
  const near = closest(
    String(path.at(-1)),
    shapes.flatMap((node) => Object.keys(propertiesOf(node))),
  );
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return {
    path: path.map((key) => `/${escapePointer(String(key))}`).join(""),
    message: `is ignored, because the profile schema does not name it${hint}`,
  };
}

function takesObjects({ type, const: constant, enum: listed }: JsonSchema): boolean {
  if (type !== undefined) return Array.isArray(type) ? type.includes("object") : type === "object";
  return constant === undefined && listed === undefined;
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isJsonObject(properties) ? properties : {};
}

function ignoresOthers(node: JsonSchema): boolean {
  const { additionalProperties, patternProperties, unevaluatedProperties, propertyNames } = node;
  const others = [additionalProperties, patternProperties, unevaluatedProperties, propertyNames];
  return Object.keys(propertiesOf(node)).length > 0 && others.every((keyword) => keyword === undefined);
}
