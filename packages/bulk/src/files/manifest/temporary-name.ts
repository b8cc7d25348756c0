import { randomBytes } from "node:crypto";

/** A name for a file until it is complete. Two processes never write the same one, even if both believe that the folder is theirs. */
export function temporaryName(path: string): string {
  return `${path}.${randomBytes(4).toString("hex")}.tmp`;
}
