import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { _, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { referred } from "../read/definitions.js";
import { definitionsOf } from "../read/definitions-of.js";
import type { Extent, ValidatorOf } from "../validate/validator.js";
import { Judgement } from "./judgement.js";

/**
 * `$ref`. AJV follows a reference wherever it stands, so that alternatives which refer to the same definition at the same
 * place judge everything below that place once each: twice as often with every level of the value. A definition that
 * refers to others, or to itself, is judged here once for each value instead. One that refers to nothing can be written
 * out, and AJV does so.
 *
 * @param native - AJV's own definition of the keyword
 * @param extent - how much to explain; left out where nobody asks for reasons
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

/** Judges by the definition that a reference means; nothing when that definition has no references itself. */
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

/** Whether a reference stands in a schema. What only looks like one, in a `const`, does no harm. */
function refers(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(refers);
  if (!isJsonObject(schema)) return false;
  return typeof schema["$ref"] === "string" || Object.values(schema).some(refers);
}
