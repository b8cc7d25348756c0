import type { OptionKind } from "@decern/core/tools";

/** A whole number from 1 to `most`. */
export function upTo(most: number): OptionKind {
  return (value, path) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most
      ? []
      : [{ path, message: `must be a whole number from 1 to ${most}` }];
}
