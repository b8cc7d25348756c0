import { DecernError, type JsonSchema, type Problem, type Schema } from "@decern/core";
import { schemaNodes } from "@decern/core/schema";
import type { ColumnType } from "../cells/condition.js";
import type { References } from "../cells/literals.js";
import { type HitPolicy, isListPolicy } from "../document/document.js";
import { type Field, fieldAt, pathsOf } from "./fields.js";

/** What a table must keep to: all that a decision has, but its rows. */
export interface TableContract<
  InputSchema extends Schema = Schema,
  OutputSchema extends Schema = Schema,
  ProfileSchema extends Schema = Schema,
  Id extends string = string,
> {
  /** As in `defineDecision`. A table names it. */
  readonly id: Id;
  readonly description?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly inputSchema: InputSchema;
  /** Of one row's result, of a list of them (policies `R`, `O` and `C`), or of an object with a number (`C+`, `C<`, `C>`, `C#`). */
  readonly outputSchema: OutputSchema;
  readonly profileSchema: ProfileSchema;
}

/** A contract's schemas as JSON Schema. */
export interface ContractShape {
  readonly references: References;
  inputAt(path: readonly string[]): Field | string;
  /** @returns of a list policy: what items have there */
  outputAt(policy: HitPolicy, path: readonly string[]): Field | string;
  readonly inputPaths: readonly string[];
  /** Of items, where the output schema is one of a list. */
  readonly outputPaths: readonly string[];
  /** Whether the output schema is one of a list. */
  readonly hasList: boolean;
}

/** @throws DecernError `INVALID_DECISION` */
export function shapeOf(contract: TableContract): ContractShape {
  const problems: Problem[] = [];
  const read = (
    name: "inputSchema" | "outputSchema" | "profileSchema",
    side: "input" | "output",
  ): JsonSchema => {
    try {
      // What rows see is what validation returns, and what they emit is what validation accepts.
      return contract[name]["~standard"].jsonSchema[side]({ target: "draft-07" });
    } catch (error) {
      const message = error instanceof Error ? error.message : "has no JSON Schema";
      problems.push({ path: `/${name}`, message });
      return {};
    }
  };
  const input = read("inputSchema", "output");
  const output = read("outputSchema", "input");
  const profile = read("profileSchema", "output");
  if (problems.length > 0)
    throw new DecernError("INVALID_DECISION", { detail: JSON.stringify(contract.id), problems });
  const items = schemaNodes(output, output)
    .filter(({ type }) => type === "array")
    .map((node) => node["items"]);
  const typeOf = (root: "profile" | "input", path: readonly string[]): ColumnType | undefined => {
    const schema = root === "profile" ? profile : input;
    const field = fieldAt(schema, schema, path);
    return typeof field === "string" ? undefined : field.type;
  };
  return {
    references: { typeOf },
    inputAt: (path) => fieldAt(input, input, path),
    outputAt: (policy, path) => fieldAt(isListPolicy(policy) ? items[0] : output, output, path),
    inputPaths: pathsOf(input, input),
    outputPaths: pathsOf(items[0] ?? output, output),
    hasList: items.length > 0,
  };
}
