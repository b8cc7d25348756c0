import type { OptionKind } from "@decern/core/tools";

/** A `Date` that is not invalid. */
export const instantKind: OptionKind = (value, path) =>
  value instanceof Date && Number.isFinite(value.getTime())
    ? []
    : [{ path, message: "must be a valid Date" }];
