import type { Logger } from "@decern/core";

/** Keeps what is logged. */
export function recordingLogger(): Logger & { readonly entries: { details: object; message: string }[] } {
  const entries: { details: object; message: string }[] = [];
  return { entries, error: (details, message) => void entries.push({ details, message }) };
}
