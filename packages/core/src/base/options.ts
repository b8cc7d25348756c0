import { DecernError, type Problem } from "./errors.js";
import { jsonProblems } from "./json-data.js";
import { escapePointer, isJsonObject } from "./json-schema.js";
import type { Clock, Logger } from "./ports.js";

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

type TypeOf<Row> = Row extends { readonly kind: Kind<infer Type> } ? Type : never;

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

function rowProblems(
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

function that<Type>(isValid: (value: unknown) => boolean, message: string): Kind<Type> {
  return (value, path) => (isValid(value) ? [] : [{ path, message }]);
}

/** The largest delay of Node's timers. */
const maxWholeNumber = 2_147_483_647;

const callback: Kind<never> = that((value) => typeof value === "function", "must be a function");

const object: Kind<never> = that(isJsonObject, "must be an object");

const json: Kind<never> = (value, path) =>
  jsonProblems(value).map((problem) => ({ ...problem, path: `${path}${problem.path}` }));

function methods(names: readonly string[]): Kind<never> {
  return (value, path) => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) {
      return [{ path, message: `must be an object with ${names.join(" and ")}` }];
    }
    return names.flatMap((name) => callback(Reflect.get(value, name), `${path}/${escapePointer(name)}`));
  };
}

const clock: Kind<Clock> = methods(["now", "monotonic"]);

/** Levels that a logger has must be methods. */
const logger: Kind<Logger> = (value, path) => {
  const has = (level: string): boolean =>
    typeof value === "object" && value !== null && Reflect.get(value, level) !== undefined;
  return methods(["error", ...["warn", "info"].filter(has)])(value, path);
};

/** The kinds of value that options have. */
export const kinds = {
  /** Accepts what meets a condition. */
  that,
  /** Accepts everything: another check follows. */
  anything: <Type = unknown>(): Kind<Type> => that(() => true, ""),
  flag: that<boolean>((value) => typeof value === "boolean", "must be true or false"),
  text: that<string>((value) => typeof value === "string", "must be a string"),
  nonEmptyText: that<string>(
    (value) => typeof value === "string" && value.trim() !== "",
    "must be a non-empty string",
  ),
  matching: (pattern: RegExp, message: string): Kind<string> =>
    that((value) => typeof value === "string" && pattern.test(value), message),
  /** Also a number of milliseconds that a timer can wait. */
  wholeNumber: that<number>(
    (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxWholeNumber,
    `must be a whole number from 1 to ${maxWholeNumber}`,
  ),
  /** From 0 to 1. */
  share: that<number>(
    (value) => typeof value === "number" && value >= 0 && value <= 1,
    "must be a number from 0 to 1",
  ),
  date: that<Date>(
    (value) => value instanceof Date && !Number.isNaN(value.getTime()),
    "must be a valid Date",
  ),
  oneOf: <const Values extends readonly (string | false)[]>(...values: Values): Kind<Values[number]> => {
    const listed = values.map((value) => JSON.stringify(value));
    return that(
      (value) => values.some((each) => each === value),
      `must be ${listed.slice(0, -1).join(", ")} or ${listed.at(-1)}`,
    );
  },

  /** A function of this type. The check can't see its parameters and its result. */
  callback: <Type>(): Kind<Type> => callback,

  /** An object of this type, whose members another check reads. */
  object: <Type = object>(): Kind<Type> => object,

  /** An object with these methods, and otherwise of this type. */
  withMethods: <Type>(...names: readonly (string & keyof Type)[]): Kind<Type> => methods(names),

  /** What a sibling package built and marked with {@link feature}. */
  built: <Type extends object>(mark: string, message: string): Kind<Type> =>
    that((value) => hasMark(value, mark), message),

  /** What JSON can carry as it is. */
  json: <Type = unknown>(): Kind<Type> => json,

  /** A list without holes. */
  listOf:
    <Item>(kind: Kind<Item>, { nonEmpty = false } = {}): Kind<readonly Item[]> =>
    (value, path) => {
      if (!Array.isArray(value) || (nonEmpty && value.length === 0)) {
        return [{ path, message: nonEmpty ? "must be a list of at least one" : "must be a list" }];
      }
      // `Array.from` sees the holes that `flatMap` alone would skip.
      return Array.from(value, (item: unknown) => item).flatMap((item, index) =>
        kind(item, `${path}/${index}`),
      );
    },

  /** An object whose properties, whatever their names, are of one kind. */
  byName:
    <Value>(kind: Kind<Value>): Kind<Readonly<Record<string, Value | undefined>>> =>
    (value, path) =>
      isJsonObject(value)
        ? Object.entries(value).flatMap(([name, own]) =>
            own === undefined ? [] : kind(own, `${path}/${escapePointer(name)}`),
          )
        : object(value, path),

  /** An object with options of its own. Their defaults aren't filled in. */
  group:
    <Rows extends RowsOf>(rows: Rows): Kind<OptionsOf<Rows>> =>
    (value, path) =>
      isJsonObject(value) ? rowProblems(value, value, rows, path) : object(value, path),

  /** What any of the kinds accepts. */
  either: <const Kinds extends readonly Kind<unknown>[]>(
    message: string,
    ...each: Kinds
  ): Kind<TypeOf<{ readonly kind: Kinds[number] }>> =>
    that((value) => each.some((kind) => kind(value, "").length === 0), message),

  logger,
  clock,
} as const;

/** Marks what a sibling package built, so that a host can tell it from plain options. The same across copies of this package. */
export const feature: unique symbol = Symbol.for("decern.feature");

/** Whether a value has this mark under {@link feature}. */
export function hasMark(value: unknown, mark: string): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, feature) === mark;
}
