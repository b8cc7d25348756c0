import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "./sync-directory.js";
import { temporaryName } from "./temporary-name.js";

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
