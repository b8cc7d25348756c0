import type { SchemaIssue } from "@decern/core/schema";
import { escapePointer, isJsonObject } from "@decern/core/schema";
import { DaysDuration, MonthsDuration } from "../values/durations.js";
import type { Run } from "../values/run.js";
import { FeelDate, FeelDateTime, FeelTime } from "../values/temporal.js";
import { valueText } from "../values/text.js";
import { anyType, conforms, typeText } from "../values/type.js";
import { FeelFunction, type FeelValue, isContext, isList, type Type } from "../values/value.js";

/** What reading JSON reports. */
export interface Reading {
  readonly run: Run;
  readonly issues: SchemaIssue[];
}

const parsers: ReadonlyMap<Type["kind"], (text: string) => FeelValue | undefined> = new Map<
  Type["kind"],
  (text: string) => FeelValue | undefined
>([
  ["date", FeelDate.parse],
  ["time", FeelTime.parse],
  ["date and time", FeelDateTime.parse],
  ["days and time duration", DaysDuration.parse],
  ["years and months duration", MonthsDuration.parse],
]);

/**
 * The value of FEEL that JSON stands for. Where no type says what a text is, it is a text. Null is of every type whose tests don't
 * exclude it.
 *
 * @param pointer - JSON Pointer to the value, for issues
 * @returns null where there is an issue
 * @throws LimitError
 */
export function fromJson(json: unknown, type: Type, pointer: string, reading: Reading): FeelValue {
  const { run } = reading;
  if (isPlain(json, type)) return plainFromJson(json, run);
  run.tick();
  const issue = (keyword: string, message: string): null => {
    reading.issues.push({ pointer, keyword, message });
    return null;
  };
  if (type.kind === "restricted") {
    const known = reading.issues.length;
    const value = fromJson(json, type.base, pointer, reading);
    if (reading.issues.length > known || type.allows(value, run)) return value;
    return issue("enum", `must meet ${type.tests}`);
  }
  if (json === null) return null;
  if (type.kind === "any") return anyFromJson(json, pointer, reading);
  if (type.kind === "list") {
    if (!Array.isArray(json)) return issue("type", "must be an array");
    run.listLength(json.length);
    return json.map((item: unknown, index) => fromJson(item, type.of, `${pointer}/${index}`, reading));
  }
  if (type.kind === "context") return contextFromJson(json, type.entries, pointer, reading);
  const value = scalarFromJson(json, type, run);
  return value === undefined ? issue("type", `must be ${article(typeText(type))}`) : value;
}

/** The value of JSON that the type's schema has accepted. @throws LimitError */
export function fromAccepted(json: unknown, type: Type, run: Run): FeelValue {
  return isPlain(json, type) ? plainFromJson(json, run) : fromJson(json, type, "", { run, issues: [] });
}

/** Whether JSON is the value already, as most of it is. */
function isPlain(json: unknown, { kind }: Type): json is string | number | boolean {
  if (typeof json !== "string" && typeof json !== "number" && typeof json !== "boolean") return false;
  return typeof json === kind;
}

/** Whether an object has exactly the entries of a context, and each is a value already: then it has no issues. */
export function isPlainContext(json: unknown, entries: ReadonlyMap<string, Type>, longest: number): boolean {
  if (!isJsonObject(json)) return false;
  const names = Object.keys(json);
  if (names.length !== entries.size) return false;
  for (const name of names) {
    const type = entries.get(name);
    const value = json[name];
    if (type === undefined || !isPlain(value, type)) return false;
    if (typeof value === "string" && value.length > longest) return false;
  }
  return true;
}

function plainFromJson(json: string | number | boolean, run: Run): FeelValue {
  run.tick();
  return typeof json === "string" ? run.text(json) : json;
}

function scalarFromJson(json: unknown, type: Type, run: Run): FeelValue | undefined {
  if (typeof json === "string") run.textLength(json.length);
  if (typeof json !== "string" && typeof json !== "number" && typeof json !== "boolean") return undefined;
  const parse = parsers.get(type.kind);
  if (parse !== undefined) return typeof json === "string" ? parse(json) : undefined;
  return conforms(json, type, run) ? json : undefined;
}

function anyFromJson(json: unknown, pointer: string, reading: Reading): FeelValue {
  const { run } = reading;
  if (typeof json === "number" || typeof json === "boolean") return json;
  if (typeof json === "string") return run.text(json);
  if (Array.isArray(json)) {
    run.listLength(json.length);
    return json.map((item: unknown, index) => fromJson(item, anyType, `${pointer}/${index}`, reading));
  }
  if (isJsonObject(json)) return contextFromJson(json, new Map(), pointer, reading);
  reading.issues.push({ pointer, keyword: "type", message: "must be JSON" });
  return null;
}

function contextFromJson(
  json: unknown,
  entries: ReadonlyMap<string, Type>,
  pointer: string,
  reading: Reading,
): FeelValue {
  if (!isJsonObject(json)) {
    reading.issues.push({ pointer, keyword: "type", message: "must be an object" });
    return null;
  }
  const context = new Map<string, FeelValue>();
  for (const name of Object.keys(json)) {
    const value = json[name];
    const type = entries.get(name) ?? anyType;
    // Pointers are for issues, which these have not.
    if (isPlain(value, type)) context.set(name, plainFromJson(value, reading.run));
    else context.set(name, fromJson(value, type, `${pointer}/${escapePointer(name)}`, reading));
  }
  for (const [name, type] of entries) {
    if (Object.hasOwn(json, name)) continue;
    if (type.kind === "any") context.set(name, null);
    else
      reading.issues.push({
        pointer: `${pointer}/${escapePointer(name)}`,
        keyword: "required",
        message: `is missing; it must be ${article(typeText(type))}`,
      });
  }
  return context;
}

function article(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** JSON of a value: dates, times and durations as ISO 8601, and ranges as FEEL writes them. Functions have none, and are null. */
export function toJson(value: FeelValue, run: Run): unknown {
  run.tick();
  if (value === null || typeof value === "number" || typeof value === "boolean" || typeof value === "string")
    return value;
  if (isList(value)) return value.map((item) => toJson(item, run));
  if (isContext(value))
    return Object.fromEntries([...value].map(([name, entry]) => [name, toJson(entry, run)]));
  if (value instanceof FeelFunction) return run.warn("WRONG_TYPE", "a function is not a result");
  return valueText(value, run);
}
