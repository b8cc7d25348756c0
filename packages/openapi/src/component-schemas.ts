import { DecernError, isJsonObject, type JsonSchema } from "@decern/core";
import { type ComponentNames, typeName } from "./component-names.js";
import type { SchemaObject } from "./document.js";
import { isExact } from "./is-exact.js";
import { type References, toOpenAPISchema } from "./to-openapi-schema.js";

const prefix = "#/components/schemas/";

/** Points to a schema among the components. */
export function schemaRef(name: string): { readonly $ref: string } {
  return { $ref: prefix + name };
}

/** The schemas of a document, by name. */
export class ComponentSchemas {
  readonly #names: ComponentNames;
  readonly #schemas = new Map<string, SchemaObject>();

  constructor(names: ComponentNames) {
    this.#names = names;
  }

  /** Adds a schema under a name that is claimed already. */
  set(name: string, schema: SchemaObject): void {
    this.#schemas.set(name, schema);
  }

  /**
   * Adds a vendor's schema, and each of its `definitions` as a component of its own.
   *
   * @param name - claimed already
   * @throws DecernError `INVALID_OPTIONS` when a reference leads nowhere
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
        // A schema that is but one of its definitions takes its place.
        definition === alias ? name : this.#names.claim(name + typeName(definition, "Definition")),
      );
    }
    const exact = [root, ...definitions.values()].every((one) => isExact(one, true));
    const references: References = { exact, rewrite };
    function rewrite(ref: string): string {
      const definition = definitionOf(ref);
      if (definition === undefined && /^#(\/|$)/.test(ref)) return prefix + name + ref.slice(1);
      const component = components.get(definition ?? ref);
      if (component !== undefined) return prefix + component;
      throw new DecernError("INVALID_OPTIONS", {
        detail: `schema "${name}" refers to "${ref}", which is not in it`,
      });
    }
    for (const [definition, component] of components) {
      this.set(component, toOpenAPISchema(definitions.get(definition), references));
    }
    if (alias === undefined || !components.has(alias)) this.set(name, toOpenAPISchema(root, references));
  }

  /** What a reference points to. */
  resolve(ref: string): SchemaObject | undefined {
    return ref.startsWith(prefix) ? this.#schemas.get(ref.slice(prefix.length)) : undefined;
  }

  toObject(): { readonly [name: string]: SchemaObject } {
    return Object.fromEntries(this.#schemas);
  }
}

/** The name of the definition that a reference points to, when it points to one. */
function definitionOf(ref: string): string | undefined {
  const match = /^#\/(?:definitions|\$defs)\/([^/]+)$/.exec(ref);
  return match?.[1] === undefined ? undefined : unescapePointer(match[1]);
}

function unescapePointer(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A name may hold a percent sign that encodes nothing.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
