import { open } from "node:fs/promises";

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
