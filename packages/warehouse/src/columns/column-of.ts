/** What a column gives as a whole. */
type Whole = string | number | boolean | bigint | symbol | null | undefined | Date | readonly unknown[];

/** Paths deeper than this are not checked by TypeScript: a recursive type has no end. */
type MaxDepth = 4;

type PathsOf<T, Depth extends readonly unknown[] = []> = T extends Whole
  ? never
  : T extends object
    ? {
        [Key in keyof T & string]-?:
          | Key
          | `${Key}.${Depth["length"] extends MaxDepth ? string : PathsOf<T[Key], [...Depth, unknown]>}`;
      }[keyof T & string]
    : never;

/** A member of an input, such as `amount`, or one further inside, such as `applicant.score`. Any text where the input's type is `unknown`. */
export type ColumnOf<Input> = unknown extends Input ? string : PathsOf<Input>;
