import type { OptionKind } from "@decern/core/tools";
import { emits } from "./emit.js";

/** `compact` or `envelope`. */
export const emitKind: OptionKind = (value, path) =>
  emits.some((emit) => emit === value) ? [] : [{ path, message: `must be one of ${emits.join(", ")}` }];
