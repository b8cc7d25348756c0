import { createHash } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../file-errors.js";
import type { ManifestPart } from "../manifest/manifest.js";
import { blocksOf } from "./input-file.js";

/** Whether a part is in the folder as it was written. @param onBlock - throws once the job is stopped */
export async function isIntact(folder: string, part: ManifestPart, onBlock: () => void): Promise<boolean> {
  const { file: name, done } = part;
  if (done === undefined) return false;
  const file = await open(join(folder, name), "r").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    if ((await file.stat()).size !== done.bytes) return false;
    const hash = createHash("sha256");
    for await (const block of blocksOf(file)) {
      hash.update(block);
      onBlock();
    }
    return hash.digest("hex") === done.sha256;
  } finally {
    await file.close();
  }
}

/** Deletes what runs that were killed have left. */
export async function deleteTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isTemporary(name)) await rm(join(folder, name), { force: true });
  }
}

/**
 * A file in a folder without a manifest that neither a killed run leaves there, nor a system in a folder that is new: hidden files,
 * and `lost+found` on a volume.
 */
export async function strangerIn(folder: string): Promise<string | undefined> {
  return (await readdir(folder)).find(
    (name) => !isTemporary(name) && !/^(job\.lock|\.|lost\+found$)/.test(name),
  );
}

function isTemporary(name: string): boolean {
  return /^(part-\d+\.(?:ndjson|csv)|manifest\.json)\.[0-9a-f]+\.tmp$/.test(name);
}
