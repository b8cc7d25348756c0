import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { _, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { definitionsOf, referred } from "../dialect/definitions.js";
import type { Issue } from "./issues.js";
import type { Extent, Validator, ValidatorOf } from "./validator.js";

/** Validates values by one definition. In one validation it looks at each value once, however many references lead to it. */
class OnceValidator {
  readonly #compile: () => Validator;
  readonly #accepted = new Map<unknown, boolean>();
  readonly #explanations = new Map<unknown, readonly Issue[]>();
  #validator: Validator | undefined;

  /** @param compile - called for the first value, because the validator may refer to its own definition */
  constructor(compile: () => Validator) {
    this.#compile = compile;
  }

  accepts(value: unknown): boolean {
    return remembered(this.#accepted, value, () => this.#compiled().accepts(value));
  }

  explain(value: unknown, extent: Extent): readonly Issue[] {
    return remembered(this.#explanations, value, () => this.#compiled().explain(value, extent));
  }

  #compiled(): Validator {
    this.#validator ??= this.#compile();
    return this.#validator;
  }
}

/**
 * How deeply validations that remember are nested. Validation is synchronous, so the count is of one validation, and what it
 * remembered is gone when it ends: no state outlives a call.
 */
let depth = 0;

const filled: Map<unknown, unknown>[] = [];

/** Returns what is known of a value, or finds it out. Everything is forgotten when the outermost call ends. */
function remembered<T>(known: Map<unknown, T>, value: unknown, find: () => T): T {
  const before = known.get(value);
  if (before !== undefined) return before;
  depth += 1;
  try {
    const found = find();
    if (known.size === 0) filled.push(known);
    known.set(value, found);
    return found;
  } finally {
    depth -= 1;
    if (depth === 0) for (const map of filled.splice(0)) map.clear();
  }
}

/**
 * `$ref`. AJV follows every reference, so alternatives that refer to the same definition each validate everything below it:
 * the work doubles with every level of the value. Here, a definition that contains references validates each value once. AJV
 * still inlines definitions without references.
 *
 * @param native - AJV's own definition of the keyword
 * @param extent - how much to explain; absent when only the result matters
 */
export function referenceKeyword(
  native: CodeKeywordDefinition,
  validatorOf: ValidatorOf,
  extent: Extent | undefined,
): CodeKeywordDefinition {
  return {
    ...native,
    ...(extent !== undefined
      ? { error: { message: "", params: ({ params }) => _`{issues: ${params["issues"]}}` } }
      : {}),
    code: (context, ruleType) => {
      const validator = onceValidatorOf(context, validatorOf);
      if (validator === undefined) return native.code(context, ruleType);
      const { gen, data } = context;
      const name = gen.scopeValue("obj", { ref: validator });
      if (extent !== undefined) context.setParams({ issues: _`${name}.explain(${data}, ${extent})` });
      context.pass(_`${name}.accepts(${data})`);
    },
  };
}

/** By the definitions of a schema, then by definition. */
const validators = new WeakMap<JsonSchema, Map<JsonSchema, OnceValidator>>();

/** The validator of the definition that a reference means; `undefined` when that definition has no references. */
function onceValidatorOf({ schema, it }: KeywordCxt, validatorOf: ValidatorOf): OnceValidator | undefined {
  const definitions = definitionsOf(it);
  const target = referred({ $ref: schema }, definitions);
  if (target === undefined || !refers(target)) return undefined;
  let known = validators.get(definitions);
  if (known === undefined) {
    known = new Map();
    validators.set(definitions, known);
  }
  let validator = known.get(target);
  if (validator === undefined) {
    validator = new OnceValidator(() => validatorOf({ ...target, definitions }));
    known.set(target, validator);
  }
  return validator;
}

/** Whether a schema contains a reference. A `const` that looks like one does no harm. */
function refers(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refers);
  if (!isJsonObject(schema)) return false;
  return typeof schema["$ref"] === "string" || Object.values(schema).some(refers);
}
