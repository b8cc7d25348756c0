import { DecernError } from "../base/errors.js";
import { escapePointer } from "../base/json-schema.js";
import { ignoreRejection, isThenable } from "../base/time.js";
import type { InputView } from "./decision.js";
import type { Schema, SchemaIssue, SchemaProps, SchemaResult } from "./ports.js";
import type { InvalidResult, ValidationIssue } from "./result.js";
import { vendorMessage } from "./vendor-message.js";

/** More would not help, and a hostile input could ask for millions. */
const maxIssues = 20;

/** Names in a path may be the caller's. Beyond, it ends where it still fits: otherwise 20 issues repeat a body 40 times. */
const maxPath = 300;

/** Validates with any schema of the port. Throws `EVALUATION_FAILED` when the schema returns a promise. */
export function validate<Output>(schema: SchemaProps<unknown, Output>, value: unknown): SchemaResult<Output> {
  try {
    return validated(schema, value);
  } catch (error) {
    if (isTooDeep(error)) return tooDeep;
    throw error;
  }
}

/** As {@link validate}, but throws whatever the schema throws. */
export function validated<Output>(
  schema: SchemaProps<unknown, Output>,
  value: unknown,
): SchemaResult<Output> {
  return settled(schema.validate(value), schema.vendor);
}

/** Passes on what a schema returned. Throws `EVALUATION_FAILED` when that is a promise. */
export function settled<Output>(
  result: SchemaResult<Output> | Promise<SchemaResult<Output>>,
  vendor: string,
): SchemaResult<Output> {
  if (isThenable(result)) throw asynchronous(result, vendor);
  return result;
}

/** A recursive schema follows a value as deep as it goes, and the stack ends first. */
export function isTooDeep(error: unknown): boolean {
  try {
    return error instanceof RangeError;
  } catch {
    // A proxy that does not tell what it is.
    return false;
  }
}

export const tooDeep = { issues: [{ pointer: "", message: "is nested too deeply", keyword: "depth" }] };

function asynchronous(promise: unknown, vendor: string): DecernError {
  ignoreRejection(promise);
  return new DecernError("EVALUATION_FAILED", {
    detail: `a ${vendor} schema returned a promise; schemas must validate synchronously`,
  });
}

/** Turns a vendor's issues into ours: pointers, readable messages, and never the value that was sent. */
export function toValidationIssues(
  issues: readonly SchemaIssue[],
  value: unknown,
): readonly ValidationIssue[] {
  const list: ValidationIssue[] = [];
  for (const issue of issues) {
    if (list.length === maxIssues) break;
    const path = issue.pointer ?? toPointer(issue.path);
    const isShown = path.length <= maxPath;
    // A vendor that gives keywords is written for this port, and keeps values out of its messages.
    const message = issue.pointer === undefined ? vendorMessage(issue, value) : issue.message;
    list.push({
      path: isShown ? path : path.slice(0, path.lastIndexOf("/", maxPath)),
      message: isShown ? message : "has a part that is not valid",
      keyword: keywordOf(issue),
    });
  }
  return list;
}

/** One sentence that names the failing fields. */
function summarize(what: "input" | "profile", issues: readonly ValidationIssue[]): string {
  return `Invalid ${what}: ${listOf(issues, what)}`;
}

/** The failing fields and what is wrong with each. @param whole - what to call the value itself */
export function listOf(issues: readonly ValidationIssue[], whole: string): string {
  let text = "";
  for (const { path, message } of issues) {
    if (text !== "") text += "; ";
    text += `${path === "" ? whole : path}${predicateOf(message)}`;
  }
  return text;
}

/** What Zod puts before every message, and the summary has said already. */
const zodPrefix = "Invalid input: ";

const lowerA = 0x61;
const lowerZ = 0x7a;

/** Our messages continue the field's name ("must be an integer"); other vendors write sentences. */
function predicateOf(message: string): string {
  const code = message.charCodeAt(0);
  if (code >= lowerA && code <= lowerZ) return ` ${message}`;
  const first = message.charAt(0);
  const rest = message.startsWith(zodPrefix) ? message.slice(zodPrefix.length) : message;
  return first === first.toLowerCase() ? ` ${rest}` : `: ${rest}`;
}

function toPointer(path: SchemaIssue["path"]): string {
  let pointer = "";
  for (const segment of path ?? []) {
    const key = typeof segment === "object" ? segment.key : segment;
    pointer += `/${escapePointer(String(key))}`;
  }
  return pointer;
}

function keywordOf(issue: SchemaIssue): string {
  if (issue.keyword !== undefined) return issue.keyword;
  // Zod and ArkType name their constraint `code`.
  return "code" in issue && typeof issue.code === "string" ? issue.code : "invalid";
}

/** A schema whose values go through a function once they are valid. */
export function viewedSchema<Value>(schema: Schema<unknown, Value>, view: InputView): Schema<unknown, Value> {
  const props = schema["~standard"];
  return {
    "~standard": {
      ...props,
      // Without `issuesOf`: the view changes the value.
      validate(value) {
        const result = validated(props, value);
        return result.issues === undefined ? { value: view(result.value) } : result;
      },
    },
  };
}

/** Makes the results of values that a caller must correct. */
export class Refusals {
  readonly #decisionId: string;

  constructor(decisionId: string) {
    this.#decisionId = decisionId;
  }

  input(issues: readonly SchemaIssue[], value: unknown, evaluatedAt: string): InvalidResult<"INVALID_INPUT"> {
    const errors = toValidationIssues(issues, value);
    return {
      status: "INVALID_INPUT",
      message: summarize("input", errors),
      errors,
      meta: { decisionId: this.#decisionId, evaluatedAt },
    };
  }

  profile(
    issues: readonly SchemaIssue[],
    value: unknown,
    evaluatedAt: string,
  ): InvalidResult<"INVALID_PROFILE"> {
    const errors = toValidationIssues(issues, value);
    return {
      status: "INVALID_PROFILE",
      message: summarize("profile", errors),
      errors,
      meta: { decisionId: this.#decisionId, evaluatedAt },
    };
  }
}
