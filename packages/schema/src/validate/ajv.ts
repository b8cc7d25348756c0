import { Ajv, type CodeKeywordDefinition, type FuncKeywordDefinition } from "ajv";
import addFormats from "ajv-formats";
import { equalityKeywords } from "../keywords/equality-keywords.js";
import { multipleOfKeyword } from "../keywords/multiple-of.js";
import { hasUniqueItems } from "../keywords/unique-items.js";
import { patternEngine } from "../pattern/pattern-engine.js";
import { FORMATS } from "./formats.js";

/** How AJV compiles and runs a schema. */
export interface AjvMode {
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
export function createAjv({ allErrors, ownProperties, keywords = [], reference }: AjvMode): Ajv {
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
