import { printable } from "../text/printable.js";

/** What a user is told about an error: one sentence. It may quote a file, whose author must not steer the terminal. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return printable(
    message
      // Node lists below a message who required a module that is missing.
      .replace(/\nRequire stack:.*$/s, "")
      .trim()
      // Problems have a line each.
      .replace(/:?\n\s*- /, ": ")
      .replaceAll(/\n\s*- /g, "; ")
      .replaceAll(/\s*\n\s*/g, "; ")
      .replaceAll(":; ", ": "),
  );
}
