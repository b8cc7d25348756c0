import { escapePointer } from "@decern/core/schema";
import type { ErrorObject } from "ajv";
import { Issue } from "./issue.js";
import { messageOf } from "./messages.js";

/** Core sends at most this many. */
const maxIssues = 20;

/** Converts AJV's errors to issues. */
export function toIssues(errors: readonly ErrorObject[]): readonly Issue[] {
  const issues: Issue[] = [];
  for (const error of errors) {
    if (issues.length >= maxIssues) break;
    const nested: unknown = error.params["issues"];
    if (Array.isArray(nested)) {
      for (const issue of nested) if (issue instanceof Issue) issues.push(issue.under(error.instancePath));
    } else if (error.keyword !== "if" && error.propertyName === undefined) {
      // AJV also reports the keyword that contains a failing `if` branch or property name; that error is enough.
      issues.push(new Issue(pointerOf(error), messageOf(error), error.keyword));
    }
  }
  return issues.length > maxIssues ? issues.slice(0, maxIssues) : issues;
}

/** Points to the missing or surplus field instead of the object that has or lacks it. */
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
