import type { JsonSchema } from "@decern/core";
import { isJsonObject, mapSubschemas } from "@decern/core/schema";
import type { CodeKeywordDefinition } from "ajv";
import { type AjvMode, sharedAjv } from "./ajv.js";
import { referenceKeyword } from "./references.js";
import { containsKeyword, explainingKeywords } from "./unions.js";
import { type Extent, type Mode, Validator } from "./validator.js";

/** Keeps one value per key, as long as something else refers to that value. */
class WeakCache<Value extends object> {
  readonly #values = new Map<string, WeakRef<Value>>();
  readonly #collected = new FinalizationRegistry<string>((key) => {
    // A newer value may exist for the key.
    if (this.#values.get(key)?.deref() === undefined) this.#values.delete(key);
  });

  getOrMake(key: string, make: () => Value): Value {
    const known = this.#values.get(key)?.deref();
    if (known !== undefined) return known;
    const value = make();
    this.#values.set(key, new WeakRef(value));
    this.#collected.register(value, key);
    return value;
  }
}

/** Keywords that let a value have far more errors than the schema has keywords. */
const branchingKeywords: ReadonlySet<string> = new Set([
  "items",
  "contains",
  "anyOf",
  "oneOf",
  "$ref",
  "propertyNames",
  "patternProperties",
]);

/** Whether a value can have far more errors than the schema has keywords. */
function isBranching(schema: JsonSchema): boolean {
  const { additionalItems, additionalProperties } = schema;
  if (isJsonObject(additionalItems) || isJsonObject(additionalProperties)) return true;
  if (Object.keys(schema).some((keyword) => branchingKeywords.has(keyword))) return true;
  let found = false;
  mapSubschemas(schema, (subschema) => {
    found ||= isBranching(subschema);
    return subschema;
  });
  return found;
}

/**
 * Whether a schema has a key or text that is also a member of every object, such as `constructor`. `value.constructor`
 * exists even when the caller did not send it, so such a schema may look at own properties only.
 */
function namesInheritedMember(schema: unknown): boolean {
  if (typeof schema === "string") return Object.hasOwn(Object.prototype, schema);
  if (Array.isArray(schema)) return schema.some(namesInheritedMember);
  if (!isJsonObject(schema)) return false;
  return Object.keys(schema).some((key) => namesInheritedMember(key) || namesInheritedMember(schema[key]));
}

const validators = new WeakCache<Validator>();

/** The validator of a schema. Equal schemas share one. */
export function validatorOf(schema: JsonSchema): Validator {
  return validators.getOrMake(JSON.stringify(schema), () => {
    const ownProperties = namesInheritedMember(schema);
    const compile = <T>(mode: Mode) =>
      sharedAjv(`${mode} ${ownProperties}`, { ...modes[mode], ownProperties }).compile<T>(schema);
    return new Validator(compile, isBranching(schema));
  });
}

const reference = (extent?: Extent) => (native: CodeKeywordDefinition) =>
  referenceKeyword(native, validatorOf, extent);

const modes: Readonly<Record<Mode, Omit<AjvMode, "ownProperties">>> = {
  listErrors: { allErrors: true },
  decide: { allErrors: false, keywords: [containsKeyword(validatorOf)], reference: reference() },
  explainAll: {
    allErrors: true,
    keywords: explainingKeywords(validatorOf, "all"),
    reference: reference("all"),
  },
  explainFirst: {
    allErrors: false,
    keywords: explainingKeywords(validatorOf, "first"),
    reference: reference("first"),
  },
};
