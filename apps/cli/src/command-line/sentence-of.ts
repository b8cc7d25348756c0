import { printable } from "../text/printable.js";
import { withoutPasswords } from "../text/without-passwords.js";

/**
 * What a user is told about an error: one sentence. It may quote a file, whose author must not steer the terminal, and what the
 * user typed, which may be a URL with a password.
 */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return printable(
    withoutPasswords(message)
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
