import type { Schema } from "@decern/core";
import { assemble, type HitPolicy, isAggregate, isListPolicy } from "../document/document.js";
import type { Problems } from "../document/problems.js";

/** Validates what rows emit, as far as it is known when the table is loaded. */
export class OutputCheck {
  readonly #schema: Schema["~standard"];
  readonly #policy: HitPolicy;
  readonly #paths: readonly (readonly string[])[];
  readonly #problems: Problems;
  /** What no column could fix is reported once. */
  readonly #reported = new Set<string>();

  constructor(schema: Schema, policy: HitPolicy, paths: readonly (readonly string[])[], problems: Problems) {
    this.#schema = schema["~standard"];
    this.#policy = policy;
    this.#paths = paths;
    this.#problems = problems;
  }

  /**
   * @param values - one per output column
   * @param path - of the row in the document, or of the default
   */
  check(values: readonly unknown[], path: string): void {
    // The number that many rows make is what the schema is about.
    if (isAggregate(this.#policy)) return;
    const emitted = assemble(this.#paths, values);
    const isList = isListPolicy(this.#policy);
    const result = this.#schema.validate(isList ? [emitted] : emitted);
    if (result instanceof Promise || result.issues === undefined) return;
    for (const { path: issuePath = [], message } of result.issues) {
      const names = issuePath.map((segment) => String(typeof segment === "object" ? segment.key : segment));
      // A list may need more items than one row emits.
      if (isList && names.length === 0) continue;
      this.#report(isList ? names.slice(1) : names, message, path);
    }
  }

  #report(names: readonly string[], message: string, path: string): void {
    const column = this.#paths.findIndex(
      (each) =>
        names.length > 0 && each.every((name, index) => names[index] === undefined || names[index] === name),
    );
    const text = names.length === 0 ? "" : `"${names.join(".")}": `;
    if (column >= 0) {
      const cell = path === "/default" ? `/default/${column}` : `${path}/then/${column}`;
      this.#problems.error(cell, `breaks the output schema: ${text}${message}`);
      return;
    }
    const key = `${text}${message}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const isWhole = names.length === 0;
    this.#problems.error(
      isWhole ? path : "/outputs",
      isWhole
        ? `breaks the output schema: ${message}`
        : `lack a column that the output schema requires: ${text}${message}`,
    );
  }
}
