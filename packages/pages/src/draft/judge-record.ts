import type { DecisionRecord } from "@decern/core";
import { isSameResult, type TableCall, type TableDocument, type TableResult } from "@decern/table/browser";
import { isObject, own } from "../json/values.js";

/** Why a record says nothing of a draft. */
export type Uncompared = "removed" | "masked" | "profile" | "contract" | "unlike";

/** What a draft makes of a recorded call. */
export type Judged =
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly before: TableResult; readonly after: TableResult }
  | { readonly kind: "uncompared"; readonly why: Uncompared };

/** What records are judged by. The tables take every input, because the service took those of the records. */
export interface Judges {
  readonly served: (call: TableCall) => TableResult;
  readonly draft: (call: TableCall) => TableResult;
  /** The `contentHash` of the served table. */
  readonly servedHash: string;
  /** What either table looks at. */
  readonly reads: Reads;
  /** Whether an input keeps to the schema of today. */
  readonly isValid: (input: unknown) => boolean;
}

/** Paths of the input, and whether the profile matters. */
export interface Reads {
  readonly inputs: readonly string[];
  readonly hasProfile: boolean;
}

/** What the cells of some tables refer to: rather too much than too little. */
export function readsOf(documents: readonly TableDocument[]): Reads {
  const text = JSON.stringify(documents);
  return {
    inputs: [
      ...documents.flatMap(({ inputs }) => inputs.map(({ path }) => path)),
      ...[...text.matchAll(/input\.([^\s,;()[\]<>=+*/"\\]+)/g)].map(([, path = ""]) => path),
    ],
    hasProfile: text.includes("profile."),
  };
}

const same: Judged = { kind: "same" };

const uncompared = (why: Uncompared): Judged => ({ kind: "uncompared", why });

/**
 * Evaluates a recorded call with a draft.
 *
 * @param profile - that the record was made under; `undefined` where it is not known
 */
export function judgeRecord(record: DecisionRecord, profile: unknown, judges: Judges): Judged {
  const { status, payload, masked, contentHash, recordedAt } = record;
  const { served, draft, servedHash, reads, isValid } = judges;
  const isOurs = contentHash === servedHash;
  // What was refused before any row was looked at, rows do not change.
  const isRefused =
    status === "INVALID_INPUT" ||
    status === "INVALID_PROFILE" ||
    (status === "ERROR" && payload !== null && payload.error?.code !== "EVALUATION_FAILED");
  if (isRefused) return isOurs ? same : uncompared("contract");
  if (payload === null || !Object.hasOwn(payload, "input")) return uncompared("removed");
  if (masked.some((pointer) => isRead(pointer, reads))) return uncompared("masked");
  if (profile === undefined) return uncompared("profile");
  if (!isOurs && !isValid(payload.input)) return uncompared("contract");
  const call = { input: payload.input, profile, nowMs: Date.parse(recordedAt) };
  const before = recordedResult(record);
  if (isOurs && !isSameResult(served(call), before)) return uncompared("unlike");
  const after = draft(call);
  return isSameResult(before, after) ? same : { kind: "changed", before, after };
}

/** Whether what was removed is part of what tables look at, or of the result. */
function isRead(pointer: string, { inputs, hasProfile }: Reads): boolean {
  const [, part, ...names] = pointer.split("/");
  if (part === "profile") return hasProfile;
  if (part !== "input") return part === undefined || part === "result";
  const removed = names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return inputs.some((path) => {
    const read = path.split(".");
    return removed.every((name, at) => read[at] === undefined || read[at] === name);
  });
}

function recordedResult({ status, payload, matchedRule }: DecisionRecord): TableResult {
  const data = isObject(payload?.result) ? own(payload.result, "data") : undefined;
  return {
    status,
    ...(data === undefined ? {} : { data }),
    rules: matchedRule === undefined ? [] : [matchedRule],
  };
}
