/**
 * The schema port: Standard Schema v1 and Standard JSON Schema v1 in one object.
 * Copied from `@standard-schema/spec` 1.1, as that specification suggests, so that core has no dependency.
 * A type test compares the copy with the original.
 * @see https://standardschema.dev
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly "~standard": SchemaProps<Input, Output>;
}

export interface SchemaProps<Input = unknown, Output = Input> {
  readonly version: 1;
  readonly vendor: string;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  /** Must validate synchronously. Returning a promise is an error. */
  readonly validate: Validate<Output>;
  readonly jsonSchema: {
    /** What a caller may send. Throws if the dialect is not supported or the type has no JSON form. */
    readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
    /** What validation returns. Throws like `input`. */
    readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
  };
}

/** How a schema validates. */
export interface Validate<Output> {
  (value: unknown): SchemaResult<Output> | Promise<SchemaResult<Output>>;
  /**
   * What is wrong with a value; `undefined` for a valid one. Only for schemas that return every valid value as it is, without
   * defaults and transformations. An optional Decern extension, which saves the wrapper around the value. It belongs to the
   * function, so that code that replaces the function replaces both.
   */
  readonly issuesOf?: ((value: unknown) => readonly SchemaIssue[] | undefined) | undefined;
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /** JSON Pointer to the failing place, so that it need not be built from `path`. An optional Decern extension. */
  readonly pointer?: string | undefined;
  /** Which constraint failed, such as `minimum`. An optional Decern extension. */
  readonly keyword?: string | undefined;
}

/** Dialects that Decern requests. `@decern/openapi` translates draft-07 to OpenAPI 3.0 itself. */
export type JsonSchemaDialect = "draft-07" | "draft-2020-12";

export interface JsonSchemaOptions {
  readonly target: JsonSchemaDialect | (string & {});
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The type a schema accepts, before defaults and transformations. */
export type InferInput<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];

/**
 * What a rule may emit for a schema. That is what may be given to it, unless its vendor's input type is looser than it
 * should be for code that is checked: then the vendor declares `types.emitted`, an optional extension of the standard.
 */
export type InferEmitted<S extends Schema> = InferInput<S> &
  // An intersection, and no choice: while TypeScript infers, it keeps literals where `InferInput` asks for some.
  (NonNullable<S["~standard"]["types"]> extends { readonly emitted: infer Emitted } ? Emitted : unknown);

/** The type that a schema's validation returns. */
export type InferOutput<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** A value as code writes it: the same type, but `readonly` throughout, so that constants fit. */
type ReadonlyDeep<T> = unknown extends T
  ? T
  : T extends (...args: never) => unknown
    ? T
    : { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> };

/** As {@link ReadonlyDeep}, and what may be left out may also be `undefined`. */
type WrittenDeep<T> = unknown extends T
  ? T
  : T extends (...args: never) => unknown
    ? T
    : T extends readonly unknown[]
      ? { readonly [Key in keyof T]: WrittenDeep<T[Key]> }
      : {
          readonly [Key in keyof T]:
            | WrittenDeep<T[Key]>
            | (T extends Readonly<Record<Key, unknown>> ? never : undefined);
        };

/** As {@link ReadonlyDeep}, and any property may be `undefined`: what a request lacks is for validation to report. */
type LooseDeep<T> = unknown extends T
  ? T
  : T extends (...args: never) => unknown
    ? T
    : { readonly [Key in keyof T]: LooseDeep<T[Key]> | undefined };

/** A profile as hosts and callers give it: `readonly` is accepted, and what has a default may be left out. */
export type ProfileInput<Profile> = ReadonlyDeep<Profile>;

/**
 * The type of a parameter that takes the input of a decision. An input whose type is `unknown` (or `any`) is left to
 * validation; any other type must be that of the decision's input, `readonly` aside.
 *
 * @typeParam Given - inferred from what is given
 */
export type InputFor<Input, Given> = unknown extends Given ? Given : WrittenDeep<Input>;

/** As {@link InputFor}, for what a callback reads from a request, which may lack any value. */
export type MappedInput<Input, Given> = unknown extends Given ? Given : LooseDeep<Input>;

/** As {@link InputFor}, for a parameter that takes a profile. */
export type ProfileFor<Profile, Given> = unknown extends Given ? Given : ProfileInput<Profile>;
