/** What stands in a cell of its own. */
type Leaf = string | number | boolean | null | undefined;

/** Ends the descent into types that contain themselves. */
type Less = [never, 0, 1, 2, 3, 4];

/** Paths of the single values in a type, such as `parcel.weightKg`, up to five names long. */
export type PathOf<Value, Depth extends number = 5> = Depth extends 0
  ? never
  : Value extends readonly unknown[]
    ? never
    : Value extends object
      ? {
          [Name in keyof Value & string]: NonNullable<Value[Name]> extends Leaf
            ? Name
            : `${Name}.${PathOf<NonNullable<Value[Name]>, Less[Depth]>}`;
        }[keyof Value & string]
      : never;

/** What a type has at a path; with `undefined` where a member on the way can be missing. */
export type ValueAt<Value, Path> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Value
    ? ValueAt<NonNullable<Value[Name]>, Rest> | Extract<Value[Name], undefined>
    : never
  : Path extends keyof Value
    ? Value[Path]
    : never;

/** What the rows of a table emit: an item of the output, where that is a list. */
export type RowOutput<Output> = Output extends readonly (infer Item)[] ? Item : Output;

/** A condition: text, or a single value. Members of an enum are completed. */
type InputCellOf<Value> =
  | (string & {})
  | Extract<Value, number | boolean | null | string>
  | (undefined extends Value ? null : never);

type ReferenceText = `profile.${string}` | `input.${string}`;

/** A result: a value, a reference, or a calculation as text. */
type OutputCellOf<Value> =
  | Extract<Value, number | boolean | null | string>
  | ReferenceText
  | (number extends Value ? string & {} : never)
  | (undefined extends Value ? "" : never);

/** The cells of a row: conditions, then results. */
export type RowCells<
  Input,
  Output,
  Inputs extends readonly string[],
  Outputs extends readonly string[],
> = readonly [
  ...{ readonly [Index in keyof Inputs]: InputCellOf<ValueAt<Input, Inputs[Index]>> },
  ...OutputCells<Output, Outputs>,
];

export type OutputCells<Output, Outputs extends readonly string[]> = {
  readonly [Index in keyof Outputs]: OutputCellOf<ValueAt<Output, Outputs[Index]>>;
};
