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

/**
 * A program that isn't an ordered list of TypeScript rules, such as a decision table: what `defineDecision` takes as `logic`.
 * Everything in it is synchronous and pure. Errors that its functions throw are reported as `EVALUATION_FAILED`.
 */
export interface Logic {
  readonly content: LogicContent;
  /** In the order of the document; ids are unique. */
  readonly rules: readonly LogicRule[];
  /**
   * Prepares the evaluation under one profile, which has passed validation. Called once for a host's profile, and for each profile
   * that a caller sends: it must not cost more than the profile's size.
   */
  bind(profile: unknown): BoundLogic;
  /**
   * Makes the program of another document under the same contract, such as an earlier table that a decision log has. It throws a
   * DecernError for a document that does not fit.
   */
  from?(document: unknown): Logic;
}

/** The document that a program was made from. Records name it by its hash, and the decision log keeps it once. */
export interface LogicContent {
  /** `sha256:` and 64 hexadecimal digits, over the canonical JSON (RFC 8785) of `document`. */
  readonly hash: string;
  readonly mediaType: string;
  /** JSON data. */
  readonly document: unknown;
}

export interface LogicRule {
  readonly id: string;
  /** What the rule is for, in a sentence. */
  readonly description?: string | undefined;
}

/** What a program knows of a call besides its input and profile. */
export interface LogicContext {
  /** The instant of `meta.evaluatedAt`. */
  readonly now: Date;
  readonly requestId: string;
  readonly caller: string | undefined;
}

/** A program under one profile. It must not write to inputs. */
export interface BoundLogic {
  /** @returns `undefined` if nothing was hit and there is no default */
  decide(input: unknown, context: LogicContext): LogicDecision | undefined;
  /** Every rule that an input meets, whichever of them decide. */
  hits(input: unknown, context: LogicContext): readonly LogicHit[];
  /** One for each field that the result may depend on; empty where these aren't known. */
  readonly thresholds: readonly LogicThreshold[];
  /**
   * Inputs for tests and locks, which pass validation: as far as there are such, one that each rule decides, and after those the
   * inputs next to where rules begin and end. Made while they are read: there may be very many.
   *
   * @param now - the instant of the calls
   */
  witnesses?(now: Date): Iterable<unknown>;
}

export interface LogicDecision {
  /** Validated against the output schema. */
  readonly emitted: unknown;
  /** At least one, in the order of the result: the first is `meta.matchedRule`. */
  readonly hits: readonly LogicHit[];
  /** Names the policy and the hits. */
  readonly explanation: string;
  /** What the parts of the program came to, as JSON, by their names. Asked for only by pages that show them. */
  readonly parts?: (() => Readonly<Record<string, unknown>>) | undefined;
}

export interface LogicHit {
  readonly ruleId: string;
  readonly explanation: string;
}

/** Where the result may change along one field of the input. */
export interface LogicThreshold {
  /** JSON Pointer into the input. */
  readonly path: string;
  /** The values at which it may change, in ascending order if they have one. */
  readonly values: readonly unknown[];
  /** Whether nothing else in the program depends on the field. */
  readonly isComplete: boolean;
}
