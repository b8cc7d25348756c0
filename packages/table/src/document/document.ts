import type { LogicContent } from "@decern/core";
import { canonicalForm } from "@decern/core/tools";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** The hit policies of decision tables: which rows of those that an input hits decide, and what the result is. */
export const hitPolicies = ["U", "A", "P", "F", "R", "O", "C", "C+", "C<", "C>", "C#"] as const;

export type HitPolicy = (typeof hitPolicies)[number];

/** A decision table as JSON: its canonical form. CSV and XLSX are read into it and written from it. */
export interface TableDocument {
  /** The id of the contract. */
  readonly table: string;
  readonly version: string;
  readonly hitPolicy: HitPolicy;
  readonly inputs: readonly InputColumn[];
  readonly outputs: readonly OutputColumn[];
  readonly rules: readonly TableRow[];
  /** What is emitted if no row is hit: one cell per output. */
  readonly default?: readonly OutputCell[] | undefined;
}

export interface InputColumn {
  /** Members of the input, joined by dots, such as `parcel.weightKg`. */
  readonly path: string;
  readonly label?: string | undefined;
}

export interface OutputColumn {
  /** Members of the output, joined by dots. Of an item of the output, where the policy returns a list. */
  readonly path: string;
  readonly label?: string | undefined;
  /** Of policies `P` and `O`: the values of this output, highest priority first. */
  readonly priority?: readonly (string | number | boolean)[] | undefined;
}

/** One row. */
export interface TableRow {
  readonly id: string;
  /** One condition per input, as text; JSON numbers, booleans and `null` are conditions of equality. */
  readonly if: readonly InputCell[];
  /** One value per output: JSON, or text with the grammar of output cells. */
  readonly then: readonly OutputCell[];
  readonly note?: string | undefined;
  /** ISO 8601 date, or date-time with offset: the first instant at which the row is in force. */
  readonly from?: string | undefined;
  /** The first instant at which it no longer is. */
  readonly until?: string | undefined;
}

export type InputCell = string | number | boolean | null;
export type OutputCell = string | number | boolean | null;

/** Where something stands in the file that a document was read from, as an analyst finds it. */
export interface Place {
  /** Name of the file. */
  readonly file: string;
  /** Of a workbook. */
  readonly sheet?: string | undefined;
  /** From 1, as spreadsheets and editors count. */
  readonly row?: number | undefined;
  /** Letters in a spreadsheet, such as `C`. */
  readonly column?: string | undefined;
}

/** Something wrong with a table. */
export interface TableProblem {
  readonly severity: "error" | "warning";
  /** JSON Pointer into the document, such as `/rules/3/if/0`. */
  readonly path: string;
  /** A sentence that an analyst understands, without the place. */
  readonly message: string;
  readonly place?: Place | undefined;
}

/** Whether the result is a list of what rows emit. */
export function isListPolicy(policy: HitPolicy): boolean {
  return policy === "R" || policy === "O" || policy === "C";
}

/** Whether the result is one number made of those that rows emit. */
export function isAggregate(policy: HitPolicy): boolean {
  return policy.length === 2;
}

/** What the default counts as, in results and records. No row may have the id. */
export const defaultId = "default";

/** Puts values at their paths in a new object. What is `undefined` is left out. */
export function assemble(
  paths: readonly (readonly string[])[],
  values: readonly unknown[],
): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (let index = 0; index < paths.length; index += 1) {
    const value = values[index];
    if (value === undefined) continue;
    const names = paths[index] ?? [];
    let object = whole;
    for (let at = 0; at < names.length - 1; at += 1) {
      const name = names[at] ?? "";
      // Not those that objects inherit, such as `constructor`.
      if (!Object.hasOwn(object, name)) define(object, name, {});
      // Holds: paths that run through one another are refused, so a member on the way is one of these objects.
      object = object[name] as Record<string, unknown>;
    }
    define(object, names[names.length - 1] ?? "", value);
  }
  return whole;
}

/** Assigning to `__proto__` would set the prototype instead of a member. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

/** The media type of a table as JSON. */
const mediaType = "application/vnd.decern.table+json";

/** What records and logs keep of a table: the canonical document, and its hash. */
export function contentOf(document: TableDocument): LogicContent {
  // Half a character cannot have come out of a file, but out of code.
  const text = canonicalForm(document) ?? JSON.stringify(document);
  return { hash: `sha256:${digestOf(text)}`, mediaType, document };
}

/** By Node itself where it is there: a megabyte takes JavaScript a tenth of the time of loading the table. */
function digestOf(text: string): string {
  const crypto = globalThis.process?.getBuiltinModule?.("node:crypto");
  return crypto?.createHash("sha256").update(text).digest("hex") ?? bytesToHex(sha256(utf8ToBytes(text)));
}
