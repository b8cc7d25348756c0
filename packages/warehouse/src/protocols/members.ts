import { isJsonObject } from "@decern/core/schema";
import { BatchRefusal } from "../batch/batch-refusal.js";

/** A JSON object. */
type Members = Readonly<Record<string, unknown>>;

/** @throws BatchRefusal where the body of a request is no JSON object */
export function membersOf(body: unknown): Members {
  if (isJsonObject(body)) return body;
  throw new BatchRefusal("BAD_REQUEST", "the body must be a JSON object");
}

/** @throws BatchRefusal where a member is no list */
export function listIn(members: Members, name: string): readonly unknown[] {
  const value = members[name];
  if (Array.isArray(value)) return value;
  throw new BatchRefusal("BAD_REQUEST", `the body has no list "${name}"`);
}

/** A member that is text and not empty. */
export function textIn(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Checks that a row has an argument for each column. Otherwise the function was created with other arguments than this
 * service expects, so that no row of it can be answered.
 *
 * @param value - a row
 * @param index - of the row
 * @throws BatchRefusal
 */
export function checkedRow(
  value: unknown,
  index: number,
  offset: number,
  columns: readonly string[],
): readonly unknown[] {
  if (!Array.isArray(value)) throw new BatchRefusal("BAD_REQUEST", `row ${index} is not a list`);
  const row: readonly unknown[] = value;
  const count = row.length - offset;
  if (count === columns.length) return row;
  const expected = `${columns.length} ${columns.length === 1 ? "column is" : "columns are"} configured: ${columns.join(", ")}`;
  throw new BatchRefusal(
    "BAD_REQUEST",
    `row ${index} has ${Math.max(0, count)} ${count === 1 ? "argument" : "arguments"}, but ${expected}`,
  );
}
