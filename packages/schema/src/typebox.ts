import type { Schema } from "@decern/core";
import { checkOptions, type OptionTable, optionKinds } from "@decern/core/host";
import type { SchemaResult } from "@decern/core/schema";
import type { Static, TSchema } from "typebox";
import { Issue } from "./explain/issue.js";
import { copyJson } from "./export/copy-json.js";
import { exportSchema } from "./export/export-schema.js";
import { readType } from "./read/read-type.js";
import { requireCodeGeneration } from "./validate/code-generation.js";
import { validatorOf } from "./validate/validator-of.js";

export interface TypeboxOptions {
  /**
   * Accepts patterns that only V8 can run, and that a hostile text can keep busy. Use it only if you trust every caller.
   * @default false
   */
  readonly allowUnsafePatterns?: boolean | undefined;
}

/**
 * What callers may pass for TypeBox's `T`. A TypeBox type does not tell TypeScript which properties have a default, so any
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
 * Turns a TypeBox type into a schema for decisions. Reports problems with the type at once; AJV compiles it when the first
 * value is validated.
 *
 * @param type - any type whose values can be written as JSON
 * @returns a schema that implements Standard Schema v1 and Standard JSON Schema v1
 * @throws DecernError `INVALID_DECISION` with every problem and its path, or when the process forbids generating code from
 * strings, which AJV needs
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
  let check: ((value: unknown) => SchemaResult<Static<T>>) | undefined;
  const validate = (value: unknown): SchemaResult<Static<T>> => {
    try {
      check ??= validatorOf(schema).check<Static<T>>();
      // AJV fills defaults in place, so it gets a copy: the caller's value must not change.
      return check(hasDefaults ? copyJson(value) : value);
    } catch (error) {
      // A recursive type can overflow the stack on a deeply nested value.
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
