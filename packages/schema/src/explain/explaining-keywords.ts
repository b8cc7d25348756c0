import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { FuncKeywordDefinition } from "ajv";
import { definitionsOf } from "../read/definitions-of.js";
import type { Extent, Validator, ValidatorOf } from "../validate/validator.js";
import type { Issue } from "./issue.js";
import { Union } from "./union.js";

type DataValidateFunction = ReturnType<NonNullable<FuncKeywordDefinition["compile"]>>;

/** Keywords that explain a failure in a few issues, where AJV lists the errors of every alternative it tried. */
export function explainingKeywords(
  validatorOf: ValidatorOf,
  extent: Extent,
): readonly FuncKeywordDefinition[] {
  const union = (keyword: "anyOf" | "oneOf"): FuncKeywordDefinition => ({
    keyword,
    schemaType: "array",
    errors: true,
    compile: (branches: readonly unknown[], _parent, context) => {
      const definitions = definitionsOf(context);
      const whole = validatorOf({ [keyword]: branches, definitions });
      const explained = new Union(branches.filter(isJsonObject), definitions, validatorOf);
      return explaining(keyword, whole, (value) => explained.explain(value, extent));
    },
  });
  return [union("anyOf"), union("oneOf"), containsKeyword(validatorOf)];
}

/** `contains`, without the errors that AJV collects for every item that does not match. */
export function containsKeyword(validatorOf: ValidatorOf): FuncKeywordDefinition {
  return {
    keyword: "contains",
    type: "array",
    schemaType: "object",
    compile: (schema: JsonSchema, _parent, context) => {
      const item = validatorOf({ ...schema, definitions: definitionsOf(context) });
      return (items: readonly unknown[]) => items.some((value) => item.accepts(value));
    },
  };
}

function explaining(
  keyword: string,
  whole: Validator,
  explain: (value: unknown) => readonly Issue[],
): DataValidateFunction {
  const check: DataValidateFunction = (value: unknown) => {
    if (whole.accepts(value)) return true;
    check.errors = [{ keyword, params: { issues: explain(value) } }];
    return false;
  };
  return check;
}
