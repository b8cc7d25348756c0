import { DecernError, type JsonSchema } from "@decern/core";
import { isJsonObject, unescapePointer } from "@decern/core/schema";
import { isExact, type References, toOpenAPISchema } from "../convert/to-openapi-schema.js";
import type { SchemaObject } from "../document/document.js";
import { type ComponentNames, typeName } from "./component-names.js";

const prefix = "#/components/schemas/";

export function schemaRef(name: string): { readonly $ref: string } {
  return { $ref: prefix + name };
}

export class ComponentSchemas {
  readonly #names: ComponentNames;
  readonly #schemas = new Map<string, SchemaObject>();

  constructor(names: ComponentNames) {
    this.#names = names;
  }

  /** Adds a schema under a name that is already claimed. */
  set(name: string, schema: SchemaObject): void {
    this.#schemas.set(name, schema);
  }

  /**
   * Adds a vendor's schema. Its `definitions`, and every other part that it refers to, become separate components,
   * because converting a schema to another dialect moves its parts.
   *
   * @param name - already claimed
   * @throws DecernError `INVALID_OPTIONS` if a reference has no target
   */
  add(name: string, schema: JsonSchema): void {
    const { definitions: older, $defs: newer, ...root } = schema;
    const definitions = new Map(
      [older, newer].flatMap((group) => (isJsonObject(group) ? Object.entries(group) : [])),
    );
    const { $ref, ...siblings } = root;
    const alias =
      Object.keys(siblings).length === 0 && typeof $ref === "string" ? definitionOf($ref) : undefined;
    const components = new Map<string, string>();
    for (const definition of definitions.keys()) {
      components.set(
        definition,
        // A schema that only refers to one of its definitions takes its place.
        definition === alias ? name : this.#names.claim(name + typeName(definition, "Definition")),
      );
    }
    const exact = [root, ...definitions.values()].every((one) => isExact(one, true));
    const parts: [component: string, part: unknown][] = [];
    const find = (ref: string): string | undefined => {
      if (ref === "#") return prefix + name;
      const known = components.get(definitionOf(ref) ?? ref);
      if (known !== undefined) return prefix + known;
      const part = partOf(schema, ref);
      if (part === undefined) return undefined;
      const component = this.#names.claim(name + typeName(ref.slice(ref.lastIndexOf("/") + 1), "Part"));
      components.set(ref, component);
      parts.push([component, part]);
      return prefix + component;
    };
    const rewrite = (ref: string): string => {
      const target = find(ref);
      if (target !== undefined) return target;
      throw new DecernError("INVALID_OPTIONS", {
        detail: `schema "${name}" refers to "${ref}", which it does not contain`,
      });
    };
    const references: References = { exact, rewrite, find };
    for (const [definition, schema] of definitions) {
      const component = components.get(definition);
      if (component !== undefined) this.set(component, toOpenAPISchema(schema, references));
    }
    if (alias === undefined || !components.has(alias)) this.set(name, toOpenAPISchema(root, references));
    // Writing one may find references to others.
    for (const [component, part] of parts) this.set(component, toOpenAPISchema(part, references));
  }

  resolve(ref: string): SchemaObject | undefined {
    return ref.startsWith(prefix) ? this.#schemas.get(ref.slice(prefix.length)) : undefined;
  }

  toObject(): { readonly [name: string]: SchemaObject } {
    return Object.fromEntries(this.#schemas);
  }
}

/** The name of the definition that a reference points to, if it points to one. */
function definitionOf(ref: string): string | undefined {
  const match = /^#\/(?:definitions|\$defs)\/([^/]+)$/.exec(ref);
  return match?.[1] === undefined ? undefined : tokenOf(match[1]);
}

/** The schema that a JSON Pointer points to, if there is one. */
function partOf(schema: JsonSchema, ref: string): unknown {
  if (!ref.startsWith("#/")) return undefined;
  let part: unknown = schema;
  for (const token of ref.slice(2).split("/").map(tokenOf)) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, token)) return undefined;
    part = Reflect.get(part, token);
  }
  return isJsonObject(part) || typeof part === "boolean" ? part : undefined;
}

/** Decodes a token of a reference, which is a URI. */
function tokenOf(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A name may hold a percent sign that encodes nothing.
  }
  return unescapePointer(text);
}

/** How far references and properties are followed, because a recursive type has no end. */
const maxDepth = 8;

/**
 * An example value of a schema: its `example`, its `default`, its only allowed value, or a value built from its
 * properties.
 *
 * @param resolve - returns the target of a `$ref`
 * @returns the value in a list, or `undefined` if a required part has no example
 */
export function schemaExample(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema | undefined,
  depth = 0,
): readonly [unknown] | undefined {
  if (depth > maxDepth) return undefined;
  if ("example" in schema) return [schema["example"]];
  if ("default" in schema) return [schema["default"]];
  const { $ref, properties, enum: values } = schema;
  if (Array.isArray(values) && values.length === 1) return [values[0]];
  if (typeof $ref === "string") {
    const target = resolve($ref);
    return target === undefined ? undefined : schemaExample(target, resolve, depth + 1);
  }
  if (!isJsonObject(properties) || ["allOf", "anyOf", "oneOf", "not"].some((keyword) => keyword in schema)) {
    return undefined;
  }
  const required: unknown = schema["required"];
  const entries: [string, unknown][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const example = isJsonObject(property) ? schemaExample(property, resolve, depth + 1) : undefined;
    if (example !== undefined) entries.push([name, example[0]]);
    else if (Array.isArray(required) && required.includes(name)) return undefined;
  }
  return entries.length === 0 ? undefined : [Object.fromEntries(entries)];
}
