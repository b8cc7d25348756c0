import { DaysDuration, MonthsDuration } from "../values/durations.js";
import type { Run } from "../values/run.js";
import { FeelDate, FeelDateTime, FeelTime } from "../values/temporal.js";
import { anyContext, anyType } from "../values/type.js";
import {
  type FeelContext,
  FeelFunction,
  type FeelList,
  FeelRange,
  type FeelValue,
  isContext,
  isList,
  type Type,
} from "../values/value.js";

/** What a parameter takes. With `?`, the argument may be left out or null. */
interface Kinds {
  any: FeelValue;
  boolean: boolean;
  number: number;
  "number?": number | null;
  string: string;
  "string?": string | null;
  list: FeelList;
  context: FeelContext;
  date: FeelDate;
  time: FeelTime;
  "date and time": FeelDateTime;
  "days and time duration": DaysDuration;
  "days and time duration?": DaysDuration | null;
  "years and months duration": MonthsDuration;
  range: FeelRange;
  /** What is neither null nor a range. */
  point: FeelValue;
  function: FeelFunction;
}

type ParameterKind = keyof Kinds;

type ParameterList = readonly (readonly [name: string, kind: ParameterKind])[];

type Values<P extends ParameterList> = { readonly [K in keyof P]: Kinds[P[K][1]] };

/** One way to call a function. */
export interface Overload {
  readonly parameters: ParameterList;
  /** Further arguments are taken together with the last, as a list. */
  readonly takesMore: boolean;
  /** @returns undefined if there is not a result */
  readonly body: (args: readonly FeelValue[], run: Run) => FeelValue | undefined;
}

export function overload<const P extends ParameterList>(
  parameters: P,
  body: (args: Values<P>, run: Run) => FeelValue | undefined,
): Overload {
  return {
    parameters,
    takesMore: false,
    body: (args, run) => (areOf(args, parameters) ? body(args, run) : undefined),
  };
}

function areOf<const P extends ParameterList>(args: readonly FeelValue[], parameters: P): args is Values<P> {
  return (
    args.length === parameters.length &&
    parameters.every(([, kind], index) => isOfKind(args[index] ?? null, kind))
  );
}

/** An overload whose last parameter is a list of all further arguments. */
export function variadic<const P extends ParameterList>(
  parameters: P,
  body: (args: Values<P>, run: Run) => FeelValue | undefined,
): Overload {
  return { ...overload(parameters, body), takesMore: true };
}

/** @param result - the type of results, for `instance of` */
export function builtIn(name: string, result: Type["kind"], ...overloads: readonly Overload[]): FeelFunction {
  const [first] = overloads;
  return new FeelFunction({
    name,
    parameters: (first?.parameters ?? []).map(([parameter, kind]) => ({
      name: parameter,
      type: typeOf(kind),
    })),
    result: typeOf(result),
    call: (args, run) => {
      run.tick();
      for (const fits of [exactly, coerced]) {
        for (const each of overloads) {
          const fitted = fit(gathered(each, args), each, fits);
          if (fitted !== undefined) return resultOf(name, each, fitted, run);
        }
      }
      return run.warn("WRONG_ARGUMENTS", `${name}: wrong arguments`);
    },
    callNamed: (args, run) => {
      run.tick();
      const candidates = asWritten(overloads, args);
      for (const fits of [exactly, coerced]) {
        for (const each of candidates) {
          const fitted = fit(positioned(each, args), each, fits);
          if (fitted !== undefined) return resultOf(name, each, fitted, run);
        }
      }
      return run.warn("WRONG_ARGUMENTS", `${name}: wrong arguments`);
    },
  });
}

/** `before(point, range)` and `before(range, point)` have the same names: the order of the call tells them apart. */
function asWritten(
  overloads: readonly Overload[],
  args: ReadonlyMap<string, FeelValue>,
): readonly Overload[] {
  const names = [...args.keys()];
  const isSame = ({ parameters }: Overload) => names.every((name, index) => parameters[index]?.[0] === name);
  return [...overloads.filter(isSame), ...overloads.filter((each) => !isSame(each))];
}

function resultOf(name: string, { body }: Overload, args: readonly FeelValue[], run: Run): FeelValue {
  const result = body(args, run);
  return result === undefined ? run.warn("INVALID_VALUE", `${name}: no result for these arguments`) : result;
}

function gathered(
  { parameters, takesMore }: Overload,
  args: readonly FeelValue[],
): readonly FeelValue[] | undefined {
  if (!takesMore) return args.length > parameters.length ? undefined : args;
  const last = parameters.length - 1;
  return args.length <= last ? undefined : [...args.slice(0, last), args.slice(last)];
}

function positioned(
  { parameters, takesMore }: Overload,
  args: ReadonlyMap<string, FeelValue>,
): readonly FeelValue[] | undefined {
  const names = parameters.map(([name]) => name);
  if (![...args.keys()].every((name) => names.includes(name))) return undefined;
  const values = names.map((name) => args.get(name) ?? null);
  // A name stands for one argument.
  return takesMore ? [...values.slice(0, -1), values.slice(-1)] : values;
}

type Fit = (value: FeelValue, kind: ParameterKind) => FeelValue | undefined;

function fit(
  args: readonly FeelValue[] | undefined,
  { parameters }: Overload,
  fits: Fit,
): readonly FeelValue[] | undefined {
  if (args === undefined) return undefined;
  const values: FeelValue[] = [];
  for (const [index, [, kind]] of parameters.entries()) {
    const isMissing = index >= args.length;
    if (isMissing && !kind.endsWith("?")) return undefined;
    const value = fits(args[index] ?? null, kind);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function exactly(value: FeelValue, kind: ParameterKind): FeelValue | undefined {
  return isOfKind(value, kind) ? value : undefined;
}

/** A list of one for its item, an item for a list of it, a date for its midnight. */
function coerced(value: FeelValue, kind: ParameterKind): FeelValue | undefined {
  if (isOfKind(value, kind)) return value;
  if (kind === "list") return value === null ? undefined : [value];
  if (isList(value) && value.length === 1) return exactly(value[0] ?? null, kind);
  return kind === "date and time" && value instanceof FeelDate ? FeelDateTime.ofDate(value) : undefined;
}

function isOfKind(value: FeelValue, kind: ParameterKind): boolean {
  return tests[kind](value);
}

function orNull<T extends FeelValue>(test: (value: FeelValue) => value is T) {
  return (value: FeelValue): value is T | null => value === null || test(value);
}

const isNumber = (value: FeelValue) => typeof value === "number";
const isString = (value: FeelValue) => typeof value === "string";
const isDays = (value: FeelValue) => value instanceof DaysDuration;
const isAny = (_value: FeelValue): _value is FeelValue => true;

const tests: { readonly [K in ParameterKind]: (value: FeelValue) => value is Kinds[K] } = {
  any: isAny,
  boolean: (value) => typeof value === "boolean",
  number: isNumber,
  "number?": orNull(isNumber),
  string: isString,
  "string?": orNull(isString),
  list: isList,
  context: isContext,
  date: (value) => value instanceof FeelDate,
  time: (value) => value instanceof FeelTime,
  "date and time": (value) => value instanceof FeelDateTime,
  "days and time duration": isDays,
  "days and time duration?": orNull(isDays),
  "years and months duration": (value) => value instanceof MonthsDuration,
  range: (value) => value instanceof FeelRange,
  point: (value): value is FeelValue => value !== null && !(value instanceof FeelRange),
  function: (value) => value instanceof FeelFunction,
};

function typeOf(kind: string): Type {
  switch (kind.replace("?", "")) {
    case "boolean":
      return { kind: "boolean" };
    case "number":
      return { kind: "number" };
    case "string":
      return { kind: "string" };
    case "date":
      return { kind: "date" };
    case "time":
      return { kind: "time" };
    case "date and time":
      return { kind: "date and time" };
    case "days and time duration":
      return { kind: "days and time duration" };
    case "years and months duration":
      return { kind: "years and months duration" };
    case "list":
      return { kind: "list", of: anyType };
    case "range":
      return { kind: "range", of: anyType };
    case "context":
      return anyContext;
    default:
      return anyType;
  }
}
