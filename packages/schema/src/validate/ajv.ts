import { DecernError, type JsonSchema } from "@decern/core";
import { isJsonObject, mapSubschemas } from "@decern/core/schema";
import { Ajv, type CodeKeywordDefinition, type FuncKeywordDefinition } from "ajv";
import addFormats from "ajv-formats";
import { FORMATS } from "../dialect/keywords.js";
import { patternEngine } from "../pattern/linear-pattern.js";
import { equalityKeywords, hasUniqueItems, multipleOfKeyword } from "./exact-keywords.js";
import { referenceKeyword } from "./references.js";
import { containsKeyword, explainingKeywords } from "./unions.js";
import { type Extent, type Mode, Validator } from "./validator.js";

/** How AJV compiles and runs a schema. */
interface AjvMode {
  /** Whether to report every failing place, or only the first. */
  readonly allErrors: boolean;
  /** Whether to ignore inherited properties. This costs time. */
  readonly ownProperties: boolean;
  /** Replacements of keywords. */
  readonly keywords?: readonly FuncKeywordDefinition[];
  /** Wraps AJV's own definition of `$ref`. */
  readonly reference?: (native: CodeKeywordDefinition) => CodeKeywordDefinition;
}

/** Creates an AJV. It does not check schemas, because the type reader already did so, and more strictly. */
function createAjv({ allErrors, ownProperties, keywords = [], reference }: AjvMode): Ajv {
  const ajv = new Ajv({
    allErrors,
    ownProperties,
    useDefaults: true,
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
    messages: false,
    logger: false,
    code: { regExp: patternEngine },
  });
  addFormats.default(ajv, [...FORMATS]);
  for (const definition of [uniqueItems, multipleOfKeyword, ...equalityKeywords, ...keywords]) {
    ajv.removeKeyword(String(definition.keyword));
    ajv.addKeyword(definition);
  }
  const native = ajv.getKeyword("$ref");
  if (reference !== undefined && typeof native === "object" && "code" in native) {
    ajv.removeKeyword("$ref");
    ajv.addKeyword(reference(native));
  }
  return ajv;
}

/** AJV's own version compares every item with every other. */
const uniqueItems: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: (wanted: boolean, items: readonly unknown[]) => !wanted || hasUniqueItems(items),
};

/**
 * How many schemas share one AJV. An AJV and everything it compiled keep each other alive. Sharing among a few schemas costs
 * little and still lets unused schemas be collected.
 */
const schemasEach = 16;

const shared = new Map<string, { readonly instance: Ajv; left: number }>();

/** Returns an AJV to compile one schema with. Equal modes must have equal keys. */
function sharedAjv(key: string, mode: AjvMode): Ajv {
  let entry = shared.get(key);
  if (entry === undefined || entry.left === 0) {
    entry = { instance: createAjv(mode), left: schemasEach };
    shared.set(key, entry);
  }
  entry.left -= 1;
  return entry.instance;
}

let allowed = false;

/**
 * Checks that AJV can compile. It generates JavaScript and runs it, which some processes forbid.
 *
 * @throws DecernError `INVALID_DECISION` if code generation is forbidden
 */
export function requireCodeGeneration(): void {
  if (allowed) return;
  try {
    // AJV generates code in the same way.
    new Function("return true");
    allowed = true;
  } catch (cause) {
    throw new DecernError("INVALID_DECISION", {
      detail:
        "this process forbids generating code from strings (--disallow-code-generation-from-strings, or a runtime without eval), which AJV needs to compile a type; allow it, or use a schema library that does not need it",
      cause,
    });
  }
}

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
