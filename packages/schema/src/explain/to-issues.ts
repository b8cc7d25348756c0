import { escapePointer } from "@decern/core/schema";
import type { ErrorObject } from "ajv";
import { Issue } from "./issue.js";
import { messageOf } from "./messages.js";

/** Nobody reads more, and core sends no more. */
const maxIssues = 20;

/** Turns the errors of AJV into issues. */
export function toIssues(errors: readonly ErrorObject[]): readonly Issue[] {
  const issues: Issue[] = [];
  for (const error of errors) {
    if (issues.length >= maxIssues) break;
    const nested: unknown = error.params["issues"];
    if (Array.isArray(nested)) {
      for (const issue of nested) if (issue instanceof Issue) issues.push(issue.under(error.instancePath));
    } else if (error.keyword !== "if" && error.propertyName === undefined) {
      // What fails in a branch of `if`, or in the name of a property, is reported beside it.
      issues.push(new Issue(pointerOf(error), messageOf(error), error.keyword));
    }
  }
  return issues.length > maxIssues ? issues.slice(0, maxIssues) : issues;
}

/** The field that is missing or too many, rather than the object around it. */
function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return `${instancePath}/${escapePointer(String(params["missingProperty"]))}`;
    case "additionalProperties":
      return `${instancePath}/${escapePointer(String(params["additionalProperty"]))}`;
    case "propertyNames":
      return `${instancePath}/${escapePointer(String(params["propertyName"]))}`;
    default:
      return instancePath;
  }
}
