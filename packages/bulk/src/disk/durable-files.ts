import { randomBytes } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "@decern/core/tools";

/** Whether the system refused something, such as for lack of a permission. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
}

/** A name for a file until it is complete. Two processes never write the same one, even if both believe that the folder is theirs. */
export function temporaryName(path: string): string {
  return `${path}.${randomBytes(4).toString("hex")}.tmp`;
}

/** Replaces a file as a whole: after a crash it is either the former or this one. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = temporaryName(path);
  const handle = await open(temporary, "w");
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}
