import { rm } from "node:fs/promises";
import { fileTimes } from "./file-times.js";
import { listLanes } from "./lane-file.js";
import { syncDirectory } from "./sync-directory.js";

const dayMs = 86_400_000;

/** Deletes the first files of each chain while all their records are too old. The last file of a chain stays: it has the head. */
export async function deleteOldFiles(directory: string, keepDays: number): Promise<void> {
  const limit = new Date(Date.now() - keepDays * dayMs).toISOString();
  let hasDeleted = false;
  for (const files of (await listLanes(directory)).values()) {
    for (const file of files.slice(0, -1)) {
      const times = await fileTimes(file);
      if (times !== undefined && times.to > limit) break;
      await rm(file.path, { force: true });
      hasDeleted = true;
    }
  }
  if (hasDeleted) await syncDirectory(directory);
}
