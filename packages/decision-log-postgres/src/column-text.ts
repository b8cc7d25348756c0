import { createHash } from "node:crypto";

/** Stands for NULL in what is sent. */
export const nullText = "\\N";

const hashed = "sha256 of UTF-16: ";

/** PostgreSQL refuses index entries above 2,704 bytes; a character has at most three of them for each code unit. */
const longest = 600;

const unpaired = /\p{Surrogate}/u;

/**
 * A text as columns hold it, the same for writing and for finding. What PostgreSQL cannot hold or index is replaced by its hash:
 * a write must not fail because of what a caller sent. The record itself has the text. No two texts become the same.
 */
export function columnText(text: string): string {
  const fits =
    text.length <= longest &&
    !text.includes("\0") &&
    !text.includes("\n") &&
    text !== nullText &&
    !text.startsWith(hashed) &&
    !unpaired.test(text);
  return fits ? text : `${hashed}${createHash("sha256").update(text, "utf16le").digest("hex")}`;
}
