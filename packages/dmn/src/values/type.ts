import type { Run } from "./run.js";
import { FeelDate, FeelDateTime } from "./temporal.js";
import {
  FeelFunction,
  FeelRange,
  type FeelValue,
  isContext,
  isList,
  kindOf,
  type ScalarKind,
  type Type,
} from "./value.js";

export const anyType: Type = { kind: "any" };
export const anyContext: Type = { kind: "context", entries: new Map() };

const scalars: ReadonlyMap<string, ScalarKind> = new Map(
  (
    [
      "boolean",
      "number",
      "string",
      "date",
      "time",
      "date and time",
      "days and time duration",
      "years and months duration",
    ] as const
  ).map((name) => [name, name]),
);

/** Names that documents of DMN 1.1 and tools use alongside FEEL's own. */
const otherNames: ReadonlyMap<string, ScalarKind> = new Map([
  ["dateTime", "date and time"],
  ["dayTimeDuration", "days and time duration"],
  ["yearMonthDuration", "years and months duration"],
  ["days and time duration", "days and time duration"],
  ["Null", "null"],
]);

/** @returns undefined for a name that FEEL does not define */
export function builtInType(name: string): Type | undefined {
  if (name === "Any" || name === "any") return anyType;
  if (name === "list") return { kind: "list", of: anyType };
  if (name === "context") return anyContext;
  if (name === "range") return { kind: "range", of: anyType };
  if (name === "function") return { kind: "function", parameters: [], result: anyType };
  const kind = scalars.get(name) ?? otherNames.get(name);
  return kind === undefined ? undefined : { kind };
}

/** Whether a value is of a type. Null is of every type but of those that `instance of` asks for. */
export function conforms(value: FeelValue, type: Type, run: Run): boolean {
  run.tick();
  if (value === null) return true;
  switch (type.kind) {
    case "any":
      return true;
    case "restricted":
      return conforms(value, type.base, run) && type.allows(value, run);
    case "list":
      return isList(value) && (type.of.kind === "any" || value.every((item) => conforms(item, type.of, run)));
    case "context":
      if (!isContext(value)) return false;
      for (const [name, of] of type.entries) {
        const entry = value.get(name);
        if (entry === undefined || !conforms(entry, of, run)) return false;
      }
      return true;
    case "range":
      return (
        value instanceof FeelRange &&
        conforms(value.start ?? null, type.of, run) &&
        conforms(value.end ?? null, type.of, run)
      );
    case "function":
      return value instanceof FeelFunction;
    default:
      return kindOf(value) === type.kind;
  }
}

/** Whether a type has every value of another type. */
function includes(type: Type, other: Type): boolean {
  if (type.kind === "any" || other.kind === "null") return true;
  if (type.kind === "restricted") return type === other;
  if (other.kind === "restricted") return includes(type, other.base);
  if ((type.kind === "list" || type.kind === "range") && other.kind === type.kind)
    return includes(type.of, other.of);
  if (type.kind === "context" && other.kind === "context") {
    for (const [name, of] of type.entries) {
      const entry = other.entries.get(name);
      if (entry === undefined || !includes(of, entry)) return false;
    }
    return true;
  }
  if (type.kind === "function" && other.kind === "function") return includesFunction(type, other);
  return type.kind === other.kind;
}

type FunctionType = Extract<Type, { kind: "function" }>;

function includesFunction(type: FunctionType, other: FunctionType): boolean {
  return (
    type.parameters.length === other.parameters.length &&
    includes(type.result, other.result) &&
    type.parameters.every((parameter, index) => includes(other.parameters[index] ?? anyType, parameter))
  );
}

/** `instance of`: null is an instance of nothing that has other values. */
export function isInstance(value: FeelValue, type: Type, run: Run): boolean {
  if (value === null) return type.kind === "null";
  // Allowed values restrict what a variable may hold, and don't make a type.
  if (type.kind === "restricted") return isInstance(value, type.base, run);
  if (type.kind === "function" && value instanceof FeelFunction) {
    const { parameters, result } = value;
    // Without a signature it is just any function.
    if (type.parameters.length === 0 && type.result.kind === "any") return true;
    return includesFunction(type, {
      kind: "function",
      parameters: parameters.map(({ type: of }) => of),
      result,
    });
  }
  return conforms(value, type, run);
}

/**
 * A value as a type has it: itself, the only item of a list, a list of it, or a date at midnight.
 *
 * @returns undefined if the type has no such value
 */
export function coerce(value: FeelValue, type: Type, run: Run): FeelValue | undefined {
  if (conforms(value, type, run)) return value;
  const plain = type.kind === "restricted" ? type.base : type;
  if (isList(value)) {
    const [only = null] = value;
    if (plain.kind !== "list") return value.length === 1 && conforms(only, type, run) ? only : undefined;
    const items = value.map((item) => coerce(item, plain.of, run));
    return allowed(
      items.flatMap((item) => (item === undefined ? [] : [item])),
      items.length,
      type,
      run,
    );
  }
  if (plain.kind === "list") return conforms([value], type, run) ? [value] : undefined;
  if (plain.kind === "date and time" && value instanceof FeelDate) return FeelDateTime.ofDate(value);
  if (plain.kind !== "context" || !isContext(value)) return undefined;
  const entries = new Map(value);
  for (const [name, of] of plain.entries) {
    const given = value.get(name);
    const entry = given === undefined ? undefined : coerce(given, of, run);
    if (entry === undefined) return undefined;
    entries.set(name, entry);
  }
  return conforms(entries, type, run) ? entries : undefined;
}

function allowed(items: readonly FeelValue[], length: number, type: Type, run: Run): FeelValue | undefined {
  return items.length === length && conforms(items, type, run) ? items : undefined;
}

export function typeText(type: Type): string {
  switch (type.kind) {
    case "restricted":
      return typeText(type.base);
    case "list":
    case "range":
      return `${type.kind}<${typeText(type.of)}>`;
    case "context":
      return `context<${[...type.entries].map(([name, of]) => `${name}: ${typeText(of)}`).join(", ")}>`;
    case "function":
      return `function<${type.parameters.map(typeText).join(", ")}> -> ${typeText(type.result)}`;
    case "any":
      return "Any";
    default:
      return type.kind;
  }
}
