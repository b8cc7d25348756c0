import { isJsonObject, type JsonSchema } from "../schema/json-schema.js";
import type { SchemaProps } from "../schema/standard-schema.js";

/**
 * Whether JSON carries a value, rather than leaving out the property that holds it. An object may still say so itself, in
 * a `toJSON` that answers nothing; the text of the envelope shows that.
 */
export function hasJsonForm(value: unknown): boolean {
  switch (typeof value) {
    case "undefined":
    case "symbol":
      return false;
    case "function":
      return JSON.stringify(value) !== undefined;
    default:
      return true;
  }
}

/** Deeper outputs are left to JSON itself, which knows how deep it can go. */
const maxLevels = 50;
const nothing: readonly object[] = [];

/** Tells cheaply of most outputs of one decision that JSON can write them. */
export class OutputForm {
  readonly #schema: SchemaProps<unknown, unknown>;
  /** Whether the schema itself excludes the others. Found out when it is first asked. */
  #isBounded: boolean | undefined;

  constructor(schema: SchemaProps<unknown, unknown>) {
    this.#schema = schema;
  }

  /**
   * @param data - that has passed validation
   * @returns whether it is certain. If not, only writing it tells
   * @throws what a getter in `data` throws
   */
  isCertain(data: unknown): boolean {
    if (typeof data !== "object" || data === null) return typeof data !== "bigint";
    if ("toJSON" in data) return false;
    this.#isBounded ??= isBoundedSchema(this.#schema);
    return this.#isBounded || isCarried(data, nothing);
  }
}

/** Objects and lists of primitives, as deep as they go; no `toJSON`, no cycle, no `BigInt`. */
function isCarried(value: object, above: readonly object[]): boolean {
  if (!isJsonObject(value))
    return Array.isArray(value) && value.every((member) => isCarriedIn(value, member, above));
  for (const key in value) {
    const member = value[key];
    // Here and not below: most members are primitives, and every call costs.
    if (typeof member === "bigint") return false;
    if (typeof member === "object" && !isCarriedIn(value, member, above)) return false;
  }
  return true;
}

function isCarriedIn(parent: object, member: unknown, above: readonly object[]): boolean {
  if (typeof member !== "object" || member === null) return typeof member !== "bigint";
  const parents = [...above, parent];
  if ("toJSON" in member || parents.length > maxLevels || parents.includes(member)) return false;
  return isCarried(member, parents);
}

function isBoundedSchema({ jsonSchema }: SchemaProps<unknown, unknown>): boolean {
  try {
    return isBounded(jsonSchema.output({ target: "draft-07" }));
  } catch {
    return false;
  }
}

/** Whether a schema takes nothing but trees of primitives that JSON has. */
function isBounded(schema: unknown): boolean {
  if (!isJsonObject(schema)) return schema === false;
  const { type, enum: values, anyOf, oneOf, allOf } = schema;
  if (Object.hasOwn(schema, "const") || Array.isArray(values)) return true;
  if (Array.isArray(allOf) && allOf.some(isBounded)) return true;
  const branches: unknown = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.every(isBounded);
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.every((one) => {
    if (one === "object") return isClosed(schema);
    if (one === "array") return isClosedList(schema);
    return typeof one === "string";
  });
}

function isClosed({ properties, patternProperties, additionalProperties }: JsonSchema): boolean {
  const named = [properties, patternProperties].flatMap((some) =>
    isJsonObject(some) ? Object.values(some) : [],
  );
  return isBounded(additionalProperties) && named.every(isBounded);
}

function isClosedList({ items, additionalItems }: JsonSchema): boolean {
  return Array.isArray(items) ? isBounded(additionalItems) && items.every(isBounded) : isBounded(items);
}
