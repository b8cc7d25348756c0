import { isJsonObject } from "@decern/core/schema";
import type { DecisionSettings } from "../module/decision-work.js";

/** What threads must know. */
export interface BulkSettings extends DecisionSettings {
  /** JSON Pointers of what records leave out. */
  readonly mask: readonly string[];
}

export function isBulkSettings(value: unknown): value is BulkSettings {
  return (
    isJsonObject(value) &&
    typeof value["module"] === "string" &&
    typeof value["id"] === "string" &&
    Array.isArray(value["mask"])
  );
}
