import { decisionOptionKinds, evaluatorOptionKinds, overloadKind } from "@decern/core/host";
import { type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import { columnsKind } from "./columns/column-kind.js";
import type { EmitOption, WarehouseHttpOptions, WarehouseOptions } from "./options.js";

const { wholeNumber } = optionKinds;

/** One of a few words. */
export function oneOf(...words: readonly string[]): OptionKind {
  return (value, path) =>
    words.some((word) => word === value) ? [] : [{ path, message: `must be ${words.join(" or ")}` }];
}

const { decision, profile, profileResolver, caller } = decisionOptionKinds;

/** The kinds of {@link WarehouseOptions}. */
export const warehouseKinds: OptionTable<WarehouseOptions<unknown, unknown, unknown>> = {
  decision,
  columns: columnsKind,
  profile,
  profileResolver,
  caller,
  ...evaluatorOptionKinds,
};

export const emitKinds: OptionTable<EmitOption> = { emit: oneOf("text", "json") };

/** The kinds of {@link WarehouseHttpOptions}. */
export const httpKinds: OptionTable<WarehouseHttpOptions<unknown, unknown, unknown>> = {
  ...warehouseKinds,
  ...emitKinds,
  engine: oneOf("bigquery", "snowflake"),
  authenticate: (value, path) =>
    typeof value === "function" || value === "host"
      ? []
      : [{ path, message: 'must be a function, or "host" where something in front authenticates' }],
  bodyLimit: wholeNumber,
  overload: overloadKind,
};
