import type { DecisionRecord } from "@decern/core";
import { isObject, type JsonObject, listOf, own, textOf } from "../../model/json.js";
import { markRemoved, Removed } from "../../model/removed.js";
import type { Trace, Used } from "../../model/trace.js";

/** What the payload of a record says, with marks where something was removed. */
export interface RecordedCall {
  readonly input: unknown;
  /** Undefined where the host's profile was used. */
  readonly profile: unknown;
  /** Undefined after a fault or a refusal. */
  readonly envelope: JsonObject | undefined;
  /** What the caller was told of a fault or a refusal. */
  readonly error: JsonObject | undefined;
  /** The decisions that rules evaluated; undefined where there were none. */
  readonly trace: Trace | undefined;
}

/** @returns undefined where there is no payload */
export function recordedCall({ payload, masked }: DecisionRecord): RecordedCall | undefined {
  const marked = markRemoved(payload, masked, new Removed());
  if (!isObject(marked)) return undefined;
  return {
    input: own(marked, "input"),
    profile: own(marked, "profile"),
    envelope: objectIn(marked, "result"),
    error: objectIn(marked, "error"),
    trace: traceOf(listOf(marked, "used")),
  };
}

/** @param used - decisions as records have them */
export function traceOf(used: readonly unknown[] | undefined): Trace | undefined {
  const evaluations = usedIn(used);
  return evaluations.length === 0 ? undefined : { used: evaluations, truncated: false };
}

function usedIn(used: readonly unknown[] = []): readonly Used[] {
  return used.flatMap((entry): Used[] => {
    if (!isObject(entry) || entry instanceof Removed) return [];
    return [
      {
        id: textOf(entry, "id") ?? "",
        version: textOf(entry, "version") ?? "",
        profileHash: textOf(entry, "profileHash") ?? "",
        envelope: own(entry, "result"),
        used: usedIn(listOf(entry, "used")),
      },
    ];
  });
}

function objectIn(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) && !(value instanceof Removed) ? value : undefined;
}
