import { isJsonObject } from "@decern/core/schema";
import { patternProblem } from "../pattern/pattern-problem.js";
import { FORMATS } from "../validate/formats.js";
import { JSON_TYPES, type KeywordValue } from "./keywords.js";

const formats = new Set<unknown>(FORMATS);

/** Says what is wrong with the value of a keyword that holds no schema. */
export function keywordProblem(
  kind: KeywordValue,
  value: unknown,
  allowUnsafePatterns: boolean,
): string | undefined {
  if (typeof kind === "object") return kind.refused;
  switch (kind) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "has to be true or false";
    case "string":
      return typeof value === "string" ? undefined : "has to be a string";
    case "id":
      return typeof value === "string" && /^[^#]+$/.test(value)
        ? undefined
        : "has to be a name, or a URI without #";
    case "number":
      return isFiniteNumber(value) ? undefined : "has to be a finite number";
    case "positive":
      return isFiniteNumber(value) && value > 0 ? undefined : "has to be a number above 0";
    case "count":
      return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : "has to be an integer from 0";
    case "names":
      // AJV takes a missing property of no name for one that is there.
      return isNames(value) ? undefined : "has to list strings, none of them twice and none of them empty";
    case "enum":
      if (!Array.isArray(value) || value.length === 0) return "has to list one value or more";
      return isJson(value) ? undefined : "has to be JSON";
    case "json":
    case "annotation":
      return isJson(value) ? undefined : "has to be JSON";
    case "type":
      return isType(value) ? undefined : `has to be one of ${[...JSON_TYPES].join(", ")}, or a list of them`;
    case "pattern":
      return typeof value === "string" ? patternProblem(value, allowUnsafePatterns) : "has to be a string";
    case "format":
      if (formats.has(value)) return undefined;
      return value === "url" ? 'is not known; use "uri"' : `is not known; known are ${FORMATS.join(", ")}`;
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

/** Whether a value survives the way through JSON text unchanged. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (!isJsonObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isJson);
}
