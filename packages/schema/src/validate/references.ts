import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { _, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { definitionsOf, referred } from "../dialect/definitions.js";
import type { Issue } from "./issues.js";
import type { Extent, Validator, ValidatorOf } from "./validator.js";

/** Judges values by one definition during a validation. Each value is judged once, however many references lead to it. */
class Judgement {
  readonly #compile: () => Validator;
  readonly #verdicts = new Map<unknown, boolean>();
  readonly #explanations = new Map<unknown, readonly Issue[]>();
  #validator: Validator | undefined;

  /** @param compile - called for the first value, because the validator may need this judgement itself */
  constructor(compile: () => Validator) {
    this.#compile = compile;
  }

  accepts(value: unknown): boolean {
    return remembered(this.#verdicts, value, () => this.#compiled().accepts(value));
  }

  explain(value: unknown, extent: Extent): readonly Issue[] {
    return remembered(this.#explanations, value, () => this.#compiled().explain(value, extent));
  }

  #compiled(): Validator {
    this.#validator ??= this.#compile();
    return this.#validator;
  }
}

/** The nesting depth of the judgements in progress. */
let depth = 0;

const filled: Map<unknown, unknown>[] = [];

/** Returns the known judgement of a value, or makes one. Everything is forgotten after the outermost judgement. */
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
 * `$ref`. AJV follows every reference, so alternatives that refer to the same definition each judge everything below it:
 * the work doubles with every level of the value. Here, a definition that contains references judges each value once. AJV
 * still inlines definitions without references.
 *
 * @param native - AJV's own definition of the keyword
 * @param extent - how much to explain; absent when only the verdict matters
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
      const judgement = judgementOf(context, validatorOf);
      if (judgement === undefined) return native.code(context, ruleType);
      const { gen, data } = context;
      const name = gen.scopeValue("obj", { ref: judgement });
      if (extent !== undefined) context.setParams({ issues: _`${name}.explain(${data}, ${extent})` });
      context.pass(_`${name}.accepts(${data})`);
    },
  };
}

const judgements = new WeakMap<JsonSchema, Map<JsonSchema, Judgement>>();

/** The judgement of the definition that a reference means; `undefined` when that definition has no references. */
function judgementOf({ schema, it }: KeywordCxt, validatorOf: ValidatorOf): Judgement | undefined {
  const definitions = definitionsOf(it);
  const target = referred({ $ref: schema }, definitions);
  if (target === undefined || !refers(target)) return undefined;
  let known = judgements.get(definitions);
  if (known === undefined) {
    known = new Map();
    judgements.set(definitions, known);
  }
  let judgement = known.get(target);
  if (judgement === undefined) {
    judgement = new Judgement(() => validatorOf({ ...target, definitions }));
    known.set(target, judgement);
  }
  return judgement;
}

/** Whether a schema contains a reference. A `const` that looks like one does no harm. */
function refers(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refers);
  if (!isJsonObject(schema)) return false;
  return typeof schema["$ref"] === "string" || Object.values(schema).some(refers);
}
