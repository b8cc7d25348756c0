import { DecernError, type DecisionContract, type DecisionFile, type Schema } from "@decern/core";
import { shapeOf, type TableContract } from "./contract/contract.js";
import { readTable, type TableDecision, tableIds } from "./read-table.js";

/**
 * Declares what tables of a decision are checked against.
 *
 * @throws DecernError `INVALID_DECISION` if a schema has no JSON Schema, which the types of columns are read from
 *
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { readTable, tableContract } from "@decern/table";
 * import { z } from "zod";
 *
 * const shippingFee = tableContract({
 *   id: "shipping-fee",
 *   inputSchema: z.object({ zone: z.enum(["domestic", "abroad"]), weightKg: z.number().min(0) }),
 *   outputSchema: z.object({ fee: z.number(), carrier: z.string() }),
 *   profileSchema: z.object({}),
 * });
 * const decision = readTable(shippingFee, { name: "fee.xlsx", bytes: readFileSync("fee.xlsx") });
 * ```
 */
export function tableContract<
  InputSchema extends Schema,
  OutputSchema extends Schema,
  ProfileSchema extends Schema,
  const Id extends string,
>(
  contract: TableContract<InputSchema, OutputSchema, ProfileSchema, Id>,
): WatchedContract<TableContract<InputSchema, OutputSchema, ProfileSchema, Id>> {
  shapeOf(contract);
  const own = Object.freeze({ ...contract });
  const { id } = own;
  return Object.freeze({
    ...own,
    ids: [id],
    holds: (file: DecisionFile) => idsIn(file).includes(id),
    read: (files: readonly DecisionFile[]) => {
      const [first = { name: "files", document: undefined }, second] = files;
      if (second !== undefined) {
        const message = `${first.name} and ${second.name} both have the table "${id}"`;
        throw new DecernError("INVALID_DECISION", {
          detail: JSON.stringify(id),
          problems: [{ path: "", message }],
        });
      }
      return [readTable(own, first)];
    },
  });
}

/** A contract that `watchDecisions` of `@decern/watch` takes too. */
export type WatchedContract<Contract extends TableContract> = Contract &
  DecisionContract<TableDecision<Contract>>;

/** Each contract of a host asks for the ids of each file. A file that was read does not change. */
const idsOf = new WeakMap<DecisionFile, readonly string[]>();

function idsIn(file: DecisionFile): readonly string[] {
  const known = idsOf.get(file);
  if (known !== undefined) return known;
  const ids = tableIds(file);
  idsOf.set(file, ids);
  return ids;
}
