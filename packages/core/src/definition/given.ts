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
