import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
import type { ExploreOptions } from "./exploration.js";

const { anything, listOf, object, text, wholeNumber } = optionKinds;

const kinds: OptionTable<ExploreOptions> = {
  examples: listOf(anything),
  profile: anything,
  profiles: object,
  runs: wholeNumber,
  sources: listOf(text),
  seed: (value, path) => (Number.isSafeInteger(value) ? [] : [{ path, message: "must be a whole number" }]),
  now: (value, path) =>
    value instanceof Date && Number.isFinite(value.getTime())
      ? []
      : [{ path, message: "must be a valid Date" }],
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkExploreOptions(options: unknown): void {
  checkOptions("explore", options, { kinds });
}
