import { randomUUID } from "node:crypto";
import { DecernError } from "@decern/core";
import { codeOf, storeError } from "../client/client.js";

/**
 * Settings of a transaction in which keys and inputs read the same as text in every process, and every row is seen: where row-level
 * security would hide some, PostgreSQL refuses the query. A row that a worker cannot see would pass for deleted.
 */
export const textSettings = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex';
  set local row_security = off`;

/**
 * Joins texts for {@link splitText}: PostgreSQL splits one text far quicker than the driver writes an array. The separator also ends
 * the last text, because splitting an empty text gives no row.
 */
export function joinTexts(texts: readonly string[]): { readonly text: string; readonly separator: string } {
  const separator = texts.some((text) => text.includes("\n")) ? `\n${randomUUID()}\n` : "\n";
  return { text: texts.join(separator) + separator, separator };
}

/** SQL that splits such a text into rows, of which the last one is to be left out. */
export function splitText(textParameter: number, separatorParameter: number): string {
  return `string_to_table($${textParameter}, $${separatorParameter})`;
}

/** How many tries an input has before it becomes a dead letter. */
export const mostTries = 5;

export const reasonUnknown =
  "Every attempt ended without a result: the worker was killed, ran out of memory or hung";

/** How many inputs may be taken together, by how often the first was tried: soon each is alone with what it does. */
export function batchSize(tries: number, max: number): number {
  if (tries === 0) return max;
  return tries === 1 ? Math.min(32, max) : 1;
}

/** Runs `work`, and says what it was doing if it fails. */
export async function doing<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw bulkError(what, error);
  }
}

/** As {@link storeError}. Messages about values (class 22) may quote inputs, and are left out. */
export function bulkError(doing: string, error: unknown): Error {
  if (error instanceof DecernError) return error;
  const code = codeOf(error);
  return code?.startsWith("22")
    ? storeError(doing, error, `${code}: it refused a value; dead letters say which and why`)
    : storeError(doing, error);
}

/**
 * Whether inputs or results were refused, and would be at the next try: data that PostgreSQL cannot hold, constraints, what a trigger
 * raises, limits of PostgreSQL and JavaScript, and a statement that takes longer than a batch may.
 */
export function isAboutInputs(error: unknown): boolean {
  return error instanceof RangeError || /^(?:22|23|44|54|P0|57014$)/.test(codeOf(error) ?? "");
}
