import type { JsonSchema, Problem } from "@decern/core";
import { copyJson, isJsonObject } from "@decern/core/schema";
import { Definitions, type Resource, type Scope } from "../dialect/definitions.js";
import { FORMATS, JSON_TYPES, type Keyword, type KeywordValue } from "../dialect/keywords.js";
import { patternProblem } from "../pattern/linear-pattern.js";

/** The reader's place in a type. */
export interface Place {
  readonly path: string;
  readonly depth: number;
  readonly scope: Scope | undefined;
  /** Absent at the root, which starts one. */
  readonly resource: Resource | undefined;
  /** The definition being read. */
  readonly definition: string | undefined;
  /** Whether this place still describes the same value as the start of that definition. */
  readonly here: boolean;
  /** Whether this is inside a union or another test, where defaults are not filled in. */
  readonly test: boolean;
}

export const rootPlace: Place = {
  path: "",
  depth: 0,
  scope: undefined,
  resource: undefined,
  definition: undefined,
  here: true,
  test: false,
};

/** The place of the schemas that a keyword holds. */
export function step(place: Place, { looks }: Keyword, path: string): Place {
  const inside = looks === "inside" || looks === "testInside";
  const test = looks === "test" || looks === "testInside";
  const { depth, here } = place;
  return { ...place, path, depth: depth + 1, here: here && !inside, test: place.test || test };
}

const formats = new Set<unknown>(FORMATS);

/** Describes the problem with the value of a keyword that holds data rather than a schema. */
function keywordProblem(
  kind: KeywordValue,
  value: unknown,
  allowUnsafePatterns: boolean,
): string | undefined {
  if (typeof kind === "object") return kind.refused;
  switch (kind) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "string":
      return typeof value === "string" ? undefined : "must be a string";
    case "id":
      return typeof value === "string" && /^[^#]+$/.test(value)
        ? undefined
        : "must be a name, or a URI without #";
    case "number":
      return isFiniteNumber(value) ? undefined : "must be a finite number";
    case "positive":
      return isFiniteNumber(value) && value > 0 ? undefined : "must be a number above 0";
    case "count":
      return Number.isSafeInteger(value) && Number(value) >= 0
        ? undefined
        : "must be an integer of at least 0";
    case "names":
      // AJV treats a missing property with an empty name as present.
      return isNames(value) ? undefined : "must be a list of different, non-empty strings";
    case "enum":
      if (!Array.isArray(value) || value.length === 0) return "must list at least one value";
      return isJson(value) ? undefined : "must be JSON";
    case "json":
    case "annotation":
      return isJson(value) ? undefined : "must be JSON";
    case "type":
      return isType(value) ? undefined : `must be one of ${[...JSON_TYPES].join(", ")}, or a list of them`;
    case "pattern":
      return typeof value === "string" ? patternProblem(value, allowUnsafePatterns) : "must be a string";
    case "format":
      if (formats.has(value)) return undefined;
      return value === "url"
        ? 'is not a known format; use "uri"'
        : `is not a known format; use one of ${FORMATS.join(", ")}`;
    default:
      return undefined;
  }
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isNames(value: unknown): boolean {
  if (!Array.isArray(value) || new Set(value).size !== value.length) return false;
  return value.every((name) => typeof name === "string" && name !== "");
}

function isType(value: unknown): boolean {
  if (Array.isArray(value)) {
    return (
      value.length > 0 && new Set(value).size === value.length && value.every((name) => JSON_TYPES.has(name))
    );
  }
  return typeof value === "string" && JSON_TYPES.has(value);
}

/** Whether a value stays the same when it is written as JSON and read again. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isJson);
}

/** The default of a property, which validation fills in. */
interface Default {
  readonly path: string;
  readonly place: Place;
  readonly schema: JsonSchema;
}

/** Reads the schema at some place in a type. */
export type ReadSchema = (type: unknown, place: Place) => JsonSchema;

/** What was found while a type was read. */
export class Reading {
  readonly definitions = new Definitions();
  readonly problems: Problem[] = [];
  /** Defaults of properties. */
  readonly defaults: Default[] = [];
  readonly allowUnsafePatterns: boolean;

  constructor(options: { readonly allowUnsafePatterns: boolean }) {
    this.allowUnsafePatterns = options.allowUnsafePatterns;
  }

  report(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  /** Copies the value of a keyword that holds data. Reports a wrong value, and returns `undefined` for it. */
  data(kind: KeywordValue, value: unknown, path: string): unknown {
    const problem = keywordProblem(kind, value, this.allowUnsafePatterns);
    if (problem === undefined) return copyJson(value);
    this.report(path, problem);
    return undefined;
  }
}
