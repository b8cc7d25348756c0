import {
  type Awaitable,
  DecernError,
  type Decision,
  type DecisionContract,
  type DecisionFile,
  type Problem,
  type Schema,
} from "@decern/core";
import { isThenable } from "@decern/core/tools";
import { shapeOf, type TableContract } from "./contract/contract.js";
import type { Place } from "./document/document.js";
import { modelOf } from "./model.js";
import { readPlaced, type TableDecision, tableIds } from "./read-table.js";
import { isLarge, largeTableProblems } from "./refuse-overlaps.js";

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
  /** Where the rows of tables that were read stand in their files. */
  const unchecked = new WeakMap<Decision, (path: string) => Place>();
  /** The content in which `check` last found nothing wrong: a set is read again when any table of it has changed. */
  let sound: string | undefined;
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
      const { decision, placeOf } = readPlaced(own, first);
      unchecked.set(decision, placeOf);
      return [decision];
    },
    check: (made: readonly Decision[], signal?: AbortSignal): Awaitable<readonly Problem[]> => {
      const [decision] = made;
      const placeOf = decision && unchecked.get(decision);
      if (decision === undefined || placeOf === undefined) return [];
      const model = modelOf(decision);
      if (model === undefined || !isLarge(model)) return [];
      const { contentHash } = decision;
      if (contentHash === sound) return [];
      const noted = (problems: readonly Problem[]): readonly Problem[] => {
        if (problems.length === 0) sound = contentHash;
        return problems;
      };
      const found = largeTableProblems(own, model, placeOf, signal);
      return isThenable(found) ? found.then(noted) : noted(found);
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
