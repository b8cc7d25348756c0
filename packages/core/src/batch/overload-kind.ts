import { type OptionKind, optionKinds } from "../options/option-kinds.js";
import { isJsonObject } from "../schema/json-schema.js";
import type { OverloadOptions } from "./overload-options.js";

const { group, wholeNumber } = optionKinds;

const kind = group<OverloadOptions>({
  maxConcurrent: wholeNumber,
  maxEventLoopDelayMs: wholeNumber,
  retryAfterSeconds: wholeNumber,
});

/** At least one of these has to be given. */
const limits = ["maxConcurrent", "maxEventLoopDelayMs"] as const;

/** The kind of {@link OverloadOptions}. */
export const overloadKind: OptionKind = (value, path) => {
  const problems = kind(value, path);
  if (!isJsonObject(value) || limits.some((limit) => value[limit] !== undefined)) return problems;
  return [...problems, { path, message: `needs ${limits.join(" or ")}` }];
};
