import { DecernError, type Problem } from "./errors.js";
import { escapePointer, isJsonObject } from "./json-schema.js";

/** Finds what is wrong with the value of one option. `path` is where it was given, as a JSON Pointer. */
export type OptionKind = (value: unknown, path: string) => readonly Problem[];

/** The kind of every option of `Options`. An option without one does not compile. */
export type OptionTable<Options> = { readonly [Name in keyof Options]-?: OptionKind };

/** Most that a timer of Node takes. */
const maxWholeNumber = 2_147_483_647;

/** The kinds of value that options have. */
export const optionKinds = {
  /** Whatever is given; somebody else checks it. */
  anything: (): readonly Problem[] => [],
  flag: kindOf((value) => typeof value === "boolean", "must be true or false"),
  callback: kindOf((value) => typeof value === "function", "must be a function"),
  text: kindOf((value) => typeof value === "string", "must be a string"),
  nonEmptyText: kindOf(
    (value) => typeof value === "string" && value.trim() !== "",
    "must be a non-empty string",
  ),
  object: kindOf(isJsonObject, "must be an object"),
  /** Also any number of milliseconds that a timer can wait for. */
  wholeNumber: kindOf(
    (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxWholeNumber,
    `must be a whole number from 1 to ${maxWholeNumber}`,
  ),

  /** An object of the host's own that has these methods. */
  withMethods:
    (...names: readonly string[]): OptionKind =>
    (value, path) => {
      if ((typeof value !== "object" && typeof value !== "function") || value === null) {
        return [{ path, message: `must be an object with ${names.join(" and ")}` }];
      }
      return names.flatMap((name) =>
        optionKinds.callback(Reflect.get(value, name), `${path}/${escapePointer(name)}`),
      );
    },

  /** A list without holes. */
  listOf:
    (kind: OptionKind, { nonEmpty = false } = {}): OptionKind =>
    (value, path) => {
      if (!Array.isArray(value) || (nonEmpty && value.length === 0)) {
        return [{ path, message: nonEmpty ? "must be a list of at least one" : "must be a list" }];
      }
      // `Array.from` sees the holes that `flatMap` alone would skip.
      return Array.from(value, (item: unknown) => item).flatMap((item, index) =>
        kind(item, `${path}/${index}`),
      );
    },

  /** An object with options of its own. */
  group:
    <Options>(table: OptionTable<Options>, required: readonly (string & keyof Options)[] = []): OptionKind =>
    (value, path) =>
      isJsonObject(value)
        ? [
            ...unknownOptions(value, Object.keys(table), path),
            ...missingOptions(value, required, path),
            ...wrongOptions(value, table, path),
          ]
        : optionKinds.object(value, path),

  /** What any of the kinds takes. */
  either:
    (message: string, ...kinds: readonly OptionKind[]): OptionKind =>
    (value, path) =>
      kinds.some((kind) => kind(value, path).length === 0) ? [] : [{ path, message }],
} as const;

function kindOf(isRight: (value: unknown) => boolean, message: string): OptionKind {
  return (value, path) => (isRight(value) ? [] : [{ path, message }]);
}

/** Options that were given and that nothing would read. */
function unknownOptions(options: object, known: readonly string[], path = ""): readonly Problem[] {
  return Object.entries(options).flatMap(([name, value]) =>
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

function missingOptions(options: object, required: readonly string[], path = ""): readonly Problem[] {
  return required
    .filter((name) => Reflect.get(options, name) === undefined)
    .map((name) => ({ path: `${path}/${escapePointer(name)}`, message: "is required" }));
}

/** Options of the wrong kind. Inherited options count too, as they do where options are used. */
export function wrongOptions<Options>(
  options: object,
  table: OptionTable<Options>,
  path = "",
): readonly Problem[] {
  return Object.entries<OptionKind>(table).flatMap(([name, kind]) => {
    const value: unknown = Reflect.get(options, name);
    return value === undefined ? [] : kind(value, `${path}/${escapePointer(name)}`);
  });
}

/** What {@link optionProblems} holds options against. */
export interface OptionRules<Options> {
  /** Every option, with its kind. */
  readonly kinds: OptionTable<Options>;
  readonly required?: readonly string[];
  /** Of each group, one at most may be given. */
  readonly exclusive?: readonly (readonly string[])[];
}

/** Finds options that do not exist, are missing, are of a wrong kind, or contradict one another. */
export function optionProblems<Options>(options: unknown, rules: OptionRules<Options>): readonly Problem[] {
  if (!isJsonObject(options)) return [{ path: "", message: "options must be an object" }];
  const isGiven = (name: string): boolean => Reflect.get(options, name) !== undefined;
  const contradicting = (rules.exclusive ?? [])
    .map((group) => group.filter(isGiven))
    .filter((given) => given.length > 1);
  return [
    ...unknownOptions(options, Object.keys(rules.kinds)),
    ...missingOptions(options, rules.required ?? []),
    ...wrongOptions(options, rules.kinds),
    ...contradicting.map((given) => ({
      path: "",
      message: `${given.join(" and ")} contradict: give one`,
    })),
  ];
}

/**
 * Refuses options that do not exist, are missing, are of a wrong kind, or contradict one another: an option that is
 * ignored is an error that goes unnoticed.
 *
 * @param owner - whose options they are, for the message
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkOptions<Options>(owner: string, options: unknown, rules: OptionRules<Options>): void {
  const problems = optionProblems(options, rules);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: owner, problems });
}

/** Marks what a sibling package built, so that a host can tell it from plain options. The same across copies of this package. */
export const feature: unique symbol = Symbol.for("decern.feature");
