import type { InferInput, InferOutput, Schema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { TableContract } from "./contract/contract.js";
import type { HitPolicy } from "./document/document.js";
import { readTable, type TableDecision } from "./read-table.js";
import type { OutputCells, PathOf, RowCells, RowOutput } from "./typed-cells.js";

/** What {@link defineTable} takes. */
export interface TableDefinition<
  InputSchema extends Schema,
  OutputSchema extends Schema,
  ProfileSchema extends Schema,
  Id extends string,
  Inputs extends readonly string[],
  Outputs extends readonly string[],
> extends TableContract<InputSchema, OutputSchema, ProfileSchema, Id> {
  /** Reported as `meta.decisionVersion`. */
  readonly version: string;
  readonly hitPolicy: HitPolicy;
  /** Paths of the input, one per column. */
  readonly inputs: Inputs;
  /** Paths of the output, or of its items where it is a list. */
  readonly outputs: Outputs;
  /** The cells of each row: conditions, then results. A row without an id is called by its number. */
  readonly rules: readonly (
    | CellsOf<InputSchema, OutputSchema, Inputs, Outputs>
    | {
        readonly id: string;
        readonly cells: CellsOf<InputSchema, OutputSchema, Inputs, Outputs>;
        readonly note?: string | undefined;
        /** ISO 8601 date, or date-time with offset, from which the row is in force. */
        readonly from?: string | undefined;
        /** From which it no longer is. */
        readonly until?: string | undefined;
      }
  )[];
  /** What is emitted if no row matches. @default the result is `NO_MATCH` */
  readonly default?: OutputCells<RowOutput<InferInput<OutputSchema>>, Outputs> | undefined;
  /** By path of an output, its values for the hit policies `P` and `O`, highest priority first. */
  readonly priority?:
    | Readonly<Partial<Record<Outputs[number], readonly (string | number | boolean)[]>>>
    | undefined;
}

type CellsOf<
  InputSchema extends Schema,
  OutputSchema extends Schema,
  Inputs extends readonly string[],
  Outputs extends readonly string[],
> = RowCells<InferOutput<InputSchema>, RowOutput<InferInput<OutputSchema>>, Inputs, Outputs>;

/**
 * Defines a table in code, for up to about 200 rows; more are quicker to check in a file.
 *
 * @throws DecernError `INVALID_DECISION`, with every problem and its path in the table's document
 *
 * @example
 * ```ts
 * const fee = defineTable({
 *   id: "fee",
 *   version: "1.0.0",
 *   inputSchema: z.object({ zone: z.enum(["home", "abroad"]), weightKg: z.number().min(0) }),
 *   outputSchema: z.object({ fee: z.number() }),
 *   profileSchema: z.object({}),
 *   hitPolicy: "U",
 *   inputs: ["zone", "weightKg"],
 *   outputs: ["fee"],
 *   rules: [
 *     ["home", "<= 2", 4.5],
 *     ["home", "> 2", "4.5 + 0.5 * input.weightKg"],
 *     { id: "abroad", cells: ["abroad", "-", 20], note: "Until the new contract" },
 *   ],
 * });
 * ```
 */
export function defineTable<
  InputSchema extends Schema,
  OutputSchema extends Schema,
  ProfileSchema extends Schema,
  const Id extends string,
  const Inputs extends readonly PathOf<InferOutput<InputSchema>>[],
  const Outputs extends readonly PathOf<RowOutput<InferInput<OutputSchema>>>[],
>(
  definition: TableDefinition<InputSchema, OutputSchema, ProfileSchema, Id, Inputs, Outputs>,
): TableDecision<TableContract<InputSchema, OutputSchema, ProfileSchema, Id>> {
  const {
    version,
    hitPolicy,
    inputs,
    outputs,
    rules,
    default: otherwise,
    priority,
    ...contract
  } = definition;
  const priorities: Readonly<Record<string, unknown>> = priority ?? {};
  const document = {
    table: contract.id,
    version,
    hitPolicy,
    inputs: inputs.map((path) => ({ path })),
    outputs: outputs.map((path) => ({
      path,
      ...(Object.hasOwn(priorities, path) ? { priority: priorities[path] } : {}),
    })),
    rules: rules.map((rule: unknown) => {
      const { cells, ...row } = isJsonObject(rule) ? rule : { cells: rule };
      const list: readonly unknown[] = Array.isArray(cells) ? cells : [];
      return { ...row, if: list.slice(0, inputs.length), then: list.slice(inputs.length) };
    }),
    ...(otherwise === undefined ? {} : { default: otherwise }),
  };
  return readTable(contract, { name: "defineTable", document });
}
