import type { JsonSchema } from "@decern/core";
import type { CodeKeywordDefinition } from "ajv";
import { containsKeyword, explainingKeywords } from "../explain/explaining-keywords.js";
import { referenceKeyword } from "../keywords/reference-keyword.js";
import type { AjvMode } from "./ajv.js";
import { BranchingValidator } from "./branching-validator.js";
import { FlatValidator } from "./flat-validator.js";
import { isBranching, namesInheritedMember } from "./schema-traits.js";
import { sharedAjv } from "./shared-ajv.js";
import type { Extent, Mode, Validator } from "./validator.js";
import { WeakCache } from "./weak-cache.js";

const validators = new WeakCache<Validator>();

/** The validator of a schema. Equal schemas share one. */
export function validatorOf(schema: JsonSchema): Validator {
  return validators.getOrMake(JSON.stringify(schema), () => {
    const ownProperties = namesInheritedMember(schema);
    const compile = <T>(mode: Mode) =>
      sharedAjv(`${mode} ${ownProperties}`, { ...modes[mode], ownProperties }).compile<T>(schema);
    return isBranching(schema) ? new BranchingValidator(compile) : new FlatValidator(compile);
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
