import type { Logger } from "@decern/core";

interface Line {
  readonly level: "error" | "warn" | "info";
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Keeps what it is told. */
export function quietLogger(): Required<Logger> & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at =
    (level: Line["level"]): Logger["error"] =>
    (details, message) =>
      void lines.push({ level, details, message });
  return { lines, error: at("error"), warn: at("warn"), info: at("info") };
}
