import type { Schema } from "@decern/core";
import { checkOptions, type OptionTable, optionKinds } from "@decern/core/host";
import type { SchemaResult } from "@decern/core/schema";
import type { Static, TSchema } from "typebox";
import { Issue } from "./explain/issue.js";
import { copyJson } from "./export/copy-json.js";
import { exportSchema } from "./export/export-schema.js";
import { readType } from "./read/read-type.js";
import { requireCodeGeneration } from "./validate/code-generation.js";
import { type Validator, validatorOf } from "./validate/validator.js";

export interface TypeboxOptions {
  /**
   * Takes patterns that only V8 can run, and that a text may keep busy. Only where all callers are trusted.
   * @default false
   */
  readonly allowUnsafePatterns?: boolean | undefined;
}

/**
 * What may be given where TypeBox says `T`. A TypeBox type does not tell TypeScript which properties have a default, so any
 * property may be left out; validation reports those that are missing. Names and values are checked.
 */
export type WithoutDefaults<T> = unknown extends T
  ? T
  : T extends readonly unknown[]
    ? { [Key in keyof T]: WithoutDefaults<T[Key]> }
    : T extends (...args: never) => unknown
      ? T
      : { [Key in keyof T]?: WithoutDefaults<T[Key]> };

/** A schema that {@link typebox} made. Rules emit all of `T`. */
export interface TypeboxSchema<T> extends Schema<WithoutDefaults<T>, T> {
  readonly "~standard": Schema<WithoutDefaults<T>, T>["~standard"] & {
    readonly types?:
      | { readonly input: WithoutDefaults<T>; readonly output: T; readonly emitted: T }
      | undefined;
  };
}

const kinds: OptionTable<TypeboxOptions> = { allowUnsafePatterns: optionKinds.flag };

/**
 * Makes a TypeBox type a schema for decisions. AJV compiles it when the first value is validated; what is wrong with it
 * is found at once.
 *
 * @param type - any type whose values JSON can carry
 * @returns a schema that implements Standard Schema v1 and Standard JSON Schema v1
 * @throws DecernError `INVALID_DECISION`, with every problem and its path; also where the process forbids making code
 * from strings, which AJV does
 *
 * @example
 * ```ts
 * import { typebox } from "@decern/schema";
 * import { Type } from "typebox";
 *
 * const applicant = typebox(Type.Object({ age: Type.Integer({ minimum: 18 }) }));
 * applicant["~standard"].validate({ age: 17 }); // { issues: [{ pointer: "/age", message: "must be at least 18", ... }] }
 * ```
 */
export function typebox<T extends TSchema>(type: T, options: TypeboxOptions = {}): TypeboxSchema<Static<T>> {
  checkOptions("typebox", options, { kinds });
  requireCodeGeneration();
  const { schema, hasDefaults } = readType(type, {
    allowUnsafePatterns: options.allowUnsafePatterns === true,
  });
  let validator: Validator | undefined;
  let isValid: ((value: unknown) => value is Static<T>) | undefined;
  const validate = (value: unknown): SchemaResult<Static<T>> => {
    try {
      validator ??= validatorOf(schema);
      isValid ??= validator.predicate<Static<T>>();
      // Defaults are filled in on a copy: what the caller sent stays what it was.
      const checked = hasDefaults ? copyJson(value) : value;
      return isValid(checked) ? { value: checked } : { issues: validator.explain(checked) };
    } catch (error) {
      // A recursive type follows a value as deep as it goes, and the stack ends first.
      if (error instanceof RangeError) return { issues: [new Issue("", "is nested too deeply", "depth")] };
      throw error;
    }
  };
  return {
    "~standard": {
      version: 1,
      vendor: "typebox",
      validate,
      jsonSchema: {
        input: ({ target }) => exportSchema(schema, "input", target),
        output: ({ target }) => exportSchema(schema, "output", target),
      },
    },
  };
}
