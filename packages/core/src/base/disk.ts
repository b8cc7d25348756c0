/** The file system, without an import of it: this package loads where there is none. */
export function files(): typeof import("node:fs/promises") {
  return process.getBuiltinModule("node:fs/promises");
}

/** Whether an error has this code of the system, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Makes names of files that were created, renamed or deleted survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows has no such thing.
  if (process.platform === "win32") return;
  const handle = await files().open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
