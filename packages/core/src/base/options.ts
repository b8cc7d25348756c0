import { DecernError, type Problem } from "./errors.js";
import { escapePointer, isJsonObject } from "./json.js";

/**
 * Finds what is wrong with a value. `path` is where it was given, as a JSON Pointer.
 *
 * @typeParam Type - of values without problems, as TypeScript's callers see it. Checks can be weaker: they can't see a function's
 *   parameters, for example
 */
export interface Kind<Type> {
  (value: unknown, path: string): readonly Problem[];
  /** Only for the compiler; never set. */
  readonly type?: Type;
}

/** One option: its check, its type, and its default if it has one. Its TSDoc is that of the option. */
type Option<Type, Presence extends "optional" | "required" | "defaulted"> = {
  readonly kind: Kind<Type>;
  readonly presence: Presence;
  readonly fallback?: Type;
};

/** Declares an option that has this default, or is `undefined` if it isn't given. */
export function option<Type>(kind: Kind<Type>): Option<Type, "optional">;
export function option<Type>(kind: Kind<Type>, fallback: NoInfer<Type>): Option<Type, "defaulted">;

export function option(kind: Kind<unknown>, fallback?: unknown): Option<unknown, "optional" | "defaulted"> {
  return fallback === undefined ? { kind, presence: "optional" } : { kind, presence: "defaulted", fallback };
}

/** Declares an option that must be given. */
export function requiredOption<Type>(kind: Kind<Type>): Option<Type, "required"> {
  return { kind, presence: "required" };
}

/**
 * Options by name. Each row declares everything about its option.
 *
 * @typeParam Options - a hand-written interface, as generic options need; rows then declare every option of it
 */
export type RowsOf<Options = Record<string, unknown>> = {
  readonly [Name in keyof Options]-?: Option<
    Exclude<Options[Name], undefined>,
    "optional" | "required" | "defaulted"
  >;
};

export type TypeOf<Row> = Row extends { readonly kind: Kind<infer Type> } ? Type : never;

type RequiredIn<Rows extends RowsOf> = {
  [Name in keyof Rows]: Rows[Name]["presence"] extends "required" ? Name : never;
}[keyof Rows];

/**
 * What callers write. The mappings keep the TSDoc of rows.
 *
 * Without required options, it is a single type: an intersection with `{}` would also accept objects that have no option at all.
 */
export type OptionsOf<Rows extends RowsOf> = [RequiredIn<Rows>] extends [never]
  ? { readonly [Name in keyof Rows]?: TypeOf<Rows[Name]> | undefined }
  : { readonly [Name in keyof Rows as Name extends RequiredIn<Rows> ? Name : never]: TypeOf<Rows[Name]> } & {
      readonly [Name in keyof Rows as Name extends RequiredIn<Rows> ? never : Name]?:
        | TypeOf<Rows[Name]>
        | undefined;
    };

/** Options after the check, with defaults. */
export type Checked<Rows extends RowsOf> = {
  readonly [Name in keyof Rows]: Rows[Name]["presence"] extends "optional"
    ? TypeOf<Rows[Name]> | undefined
    : TypeOf<Rows[Name]>;
};

/** Finds what is wrong with several options together. It receives the values, defaults included; they can be invalid. */
export type OptionRule = (values: Readonly<Record<string, unknown>>) => readonly Problem[];

/**
 * Checks options and fills in defaults.
 *
 * @returns every problem: unknown options, missing ones, invalid values, and what `rules` find; without problems, the options
 */
export function readOptions<Rows extends RowsOf>(
  given: unknown,
  rows: Rows,
  rules: readonly OptionRule[] = [],
): { readonly options: Checked<Rows> | undefined; readonly problems: readonly Problem[] } {
  if (!isJsonObject(given)) {
    return { options: undefined, problems: [{ path: "", message: "options must be an object" }] };
  }
  // Each value is read once: a getter could return something else after the check. Inherited options count too.
  const values = Object.fromEntries(
    Object.entries(rows).map(([name, { fallback }]) => {
      const value: unknown = Reflect.get(given, name);
      return [name, value === undefined ? fallback : value];
    }),
  );
  const problems = [...rowProblems(given, values, rows, ""), ...rules.flatMap((rule) => rule(values))];
  if (problems.length > 0) return { options: undefined, problems };
  // Every row's kind has accepted its value or its option is optional and absent, so that `values` has the type of each row.
  return { options: values as Checked<Rows>, problems };
}

/**
 * As {@link readOptions}, for a function whose options are checked alone.
 *
 * @param owner - whose options they are, for the message
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkedOptions<Rows extends RowsOf>(
  owner: string,
  given: unknown,
  rows: Rows,
  rules?: readonly OptionRule[],
): Checked<Rows> {
  const { options, problems } = readOptions(given, rows, rules);
  if (options === undefined) throw new DecernError("INVALID_OPTIONS", { detail: owner, problems });
  return options;
}

/** The rule that at most one of these options is given. */
export function oneAtMost(...names: readonly string[]): OptionRule {
  return (values) => {
    const given = names.filter((name) => values[name] !== undefined);
    return given.length > 1 ? [{ path: "", message: `${given.join(" and ")} contradict: give one` }] : [];
  };
}

export function rowProblems(
  given: object,
  values: Readonly<Record<string, unknown>>,
  rows: RowsOf,
  path: string,
): readonly Problem[] {
  const required = Object.keys(rows).filter((name) => rows[name]?.presence === "required");
  return [
    ...unknownOptions(given, Object.keys(rows), path),
    ...required
      .filter((name) => values[name] === undefined)
      .map((name) => ({ path: `${path}/${escapePointer(name)}`, message: "is required" })),
    ...Object.entries(rows).flatMap(([name, { kind }]) => {
      const value = values[name];
      return value === undefined ? [] : kind(value, `${path}/${escapePointer(name)}`);
    }),
  ];
}

/** Options that were given and that nothing would read. */
function unknownOptions(given: object, known: readonly string[], path: string): readonly Problem[] {
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined || known.includes(name)
      ? []
      : [
          {
            path: `${path}/${escapePointer(name)}`,
            message: `is unknown; valid names are ${known.join(", ")}`,
          },
        ],
  );
}
