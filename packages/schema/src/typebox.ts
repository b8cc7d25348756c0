import type { Schema } from "@decern/core";
import { checkedOptions, kinds, type OptionsOf, option } from "@decern/core/options";
import type {
  Static,
  TArray,
  TIntersect,
  TObject,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TUnion,
} from "typebox";
import { exportSchema } from "./json-schema.js";
import { readType } from "./read/read-schema.js";
import { requireCodeGeneration, validatorOf } from "./validate/ajv.js";
import { validationWith } from "./validate/validator.js";

const rows = {
  /** Accepts patterns that take unbounded time; only if you trust every caller. @default false */
  allowUnsafePatterns: option(kinds.flag, false),
};

/** Options of {@link typebox}. */
export interface TypeboxOptions extends OptionsOf<typeof rows> {}

/** Has a default that TypeScript can see: that of `Type.With(Type.Integer(), { default: 620 })`. */
type Defaulted = { readonly default: NonNullable<unknown> | null };

/** The keys of the properties that callers may leave out. */
type OmissibleKeys<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends TOptional | Defaulted ? Key : never;
}[keyof Properties];

/** What callers may pass for a TypeBox type: its static type, without what has a default that TypeScript can see. */
export type InputOfType<T extends TSchema> =
  T extends TObject<infer Properties>
    ? ObjectInput<Properties, OmissibleKeys<Properties>>
    : T extends TArray<infer Item>
      ? InputOfType<Item>[]
      : T extends TRecord<string, infer Value>
        ? { [Key in keyof Static<T>]: InputOfType<Value> }
        : T extends TUnion<infer Members>
          ? InputOfType<Members[number]>
          : T extends TIntersect<infer Members>
            ? Shown<AllOf<Members>>
            : Static<T>;

type ObjectInput<Properties extends TProperties, Omissible extends keyof Properties> = [Omissible] extends [
  never,
]
  ? { [Key in keyof Properties]: InputOfType<Properties[Key]> }
  : Shown<
      { [Key in Exclude<keyof Properties, Omissible>]: InputOfType<Properties[Key]> } & {
        [Key in Omissible]?: InputOfType<Properties[Key]>;
      }
    >;

type AllOf<Members extends readonly TSchema[]> = Members extends [
  infer First extends TSchema,
  ...infer Rest extends TSchema[],
]
  ? InputOfType<First> & AllOf<Rest>
  : unknown;

/** One object type, as an editor should show it. */
type Shown<T> = T extends infer Type ? { [Key in keyof Type]: Type[Key] } : never;

/** A schema that {@link typebox} made. Rules emit all of `T`. */
export interface TypeboxSchema<Input, Output> extends Schema<Input, Output> {
  readonly "~standard": Schema<Input, Output>["~standard"] & {
    readonly types?: { readonly input: Input; readonly output: Output; readonly emitted: Output } | undefined;
  };
}

/**
 * Turns a TypeBox type into a schema for decisions. Reports problems with the type immediately; AJV compiles it when the first
 * value is validated.
 *
 * @typeParam Input - left to its default, as is `Output`. They are parameters because TypeScript would otherwise infer `T` from
 *   what the schema is used for, at ten times the cost
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
export function typebox<T extends TSchema, Input = InputOfType<T>, Output = Static<T>>(
  type: T,
  options: TypeboxOptions = {},
): TypeboxSchema<Input, Output> {
  const { allowUnsafePatterns } = checkedOptions("typebox", options, rows);
  requireCodeGeneration();
  const { schema, hasDefaults } = readType(type, { allowUnsafePatterns });
  return {
    "~standard": {
      version: 1,
      vendor: "typebox",
      validate: validationWith<Output>(() => validatorOf(schema), hasDefaults),
      jsonSchema: {
        input: ({ target }) => exportSchema(schema, "input", target),
        output: ({ target }) => exportSchema(schema, "output", target),
      },
    },
  };
}
