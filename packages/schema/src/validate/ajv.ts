import { DecernError } from "@decern/core";
import { Ajv, type CodeKeywordDefinition, type FuncKeywordDefinition } from "ajv";
import addFormats from "ajv-formats";
import { FORMATS } from "../dialect/keywords.js";
import { patternEngine } from "../pattern/linear-pattern.js";
import { equalityKeywords, hasUniqueItems, multipleOfKeyword } from "./exact-keywords.js";

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
export function sharedAjv(key: string, mode: AjvMode): Ajv {
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
