import { randomBytes } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** The system's code of an error, such as `ENOENT`. */
function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : undefined;
}

/** Whether the system refused something, such as for lack of a permission. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && typeof codeOf(error) === "string" && Reflect.has(error, "syscall");
}

/** Whether a file or a directory does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** Whether a file that had to be new exists. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === "EEXIST";
}

/** Makes names of files that were created, renamed or deleted survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows has no such thing.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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
