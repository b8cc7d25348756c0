import { createHash } from "node:crypto";
import { canonicalForm } from "@decern/core/tools";

/** @returns 64 hexadecimal digits */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The canonical JSON of a value. Text with half a character in it has none, and is written as `JSON.stringify` does. */
export function jsonText(value: unknown): string {
  return canonicalForm(value) ?? JSON.stringify(value) ?? "null";
}

/** The hash of a value as records and locks have it. */
export function hashOf(value: unknown): string {
  return `sha256:${sha256(jsonText(value))}`;
}
