import type { Problem } from "./errors.js";
import type { Logger } from "./faults.js";
import { escapePointer, isJsonObject } from "./json.js";
import { type Kind, type OptionsOf, type RowsOf, rowProblems, type TypeOf } from "./options.js";
import type { Clock } from "./time.js";

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

/** Deeper than anybody writes, and far from where the stack ends. */
const maxDepth = 500;

/** Everything in a value that JSON cannot carry as it is, with its path. A property that is `undefined` is left out, as JSON does. */
export function jsonProblems(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  // A document may have a hundred thousand values: their paths are made where one of them is wrong.
  if (!isJson(value, [])) find(value, "", [], problems);
  return problems;
}

/** @param parents - what it is in */
function isJson(value: unknown, parents: object[]): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object") return typeof value === "number" && Number.isFinite(value);
  if (parents.length > maxDepth || parents.includes(value)) return false;
  parents.push(value);
  try {
    if (!isPlain(value)) return false;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) if (!isJson(value[index], parents)) return false;
      return true;
    }
    for (const key of Object.keys(value)) {
      const member: unknown = Reflect.get(value, key);
      if (member !== undefined && !isJson(member, parents)) return false;
    }
    return true;
  } catch {
    // A getter or a proxy that throws.
    return false;
  } finally {
    parents.pop();
  }
}

function find(value: unknown, path: string, parents: readonly object[], problems: Problem[]): void {
  const report = (message: string): void => void problems.push({ path, message });
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) report("must be JSON; numbers must be finite");
    return;
  }
  if (typeof value !== "object") return report(`must be JSON, which cannot represent a ${typeof value}`);
  if (parents.includes(value)) return report("must be JSON, which cannot contain circular references");
  if (parents.length > maxDepth) return report("is nested too deeply");
  let entries: readonly (readonly [string, unknown])[];
  try {
    if (!isPlain(value)) return report("must be JSON: a plain object, not a class instance");
    entries = Array.isArray(value)
      ? Array.from(value, (item, index) => [String(index), item])
      : Object.entries(value).filter(([, item]) => item !== undefined);
  } catch {
    return report("must be JSON, but reading it failed");
  }
  const below = [...parents, value];
  for (const [key, item] of entries) find(item, `${path}/${escapePointer(key)}`, below, problems);
}

function isPlain(value: object): boolean {
  if ("toJSON" in value && typeof value.toJSON === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}
