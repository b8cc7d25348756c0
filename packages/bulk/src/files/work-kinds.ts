import { decisionOptionKinds } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { BulkWorkHere, BulkWorkInThreads } from "./bulk-file-options.js";
import type { BulkEncoder } from "./part/bulk-encoder.js";
import { upTo } from "./up-to.js";

const { anything, callback, group, listOf, nonEmptyText, object, text } = optionKinds;

const encoderKinds: OptionTable<BulkEncoder> = { name: nonEmptyText, encodePart: callback };

export const workHereKinds: OptionTable<BulkWorkHere> = {
  decision: decisionOptionKinds.decision,
  profiles: object,
  encoders: listOf(group(encoderKinds, ["name", "encodePart"])),
};

const urlKind: OptionKind = (value, path) =>
  value instanceof URL ? [] : [{ path, message: "must be a URL, such as new URL(…, import.meta.url)" }];

/** More threads than this are a mistake: each has a heap of its own. */
export const mostThreads = 256;

const threadKinds: OptionTable<BulkWorkInThreads> = {
  thread: urlKind,
  data: anything,
  execArgv: listOf(text),
  count: upTo(mostThreads),
};

/** Work in this thread, or in others. */
export const workKind: OptionKind = (value, path) => {
  const isInThreads = isJsonObject(value) && value["thread"] !== undefined;
  return isInThreads
    ? group(threadKinds, ["thread"])(value, path)
    : group(workHereKinds, ["decision"])(value, path);
};
