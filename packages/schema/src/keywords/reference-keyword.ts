import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { _, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { referred } from "../read/definitions.js";
import { definitionsOf } from "../read/definitions-of.js";
import type { Extent, ValidatorOf } from "../validate/validator.js";
import { Judgement } from "./judgement.js";

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
