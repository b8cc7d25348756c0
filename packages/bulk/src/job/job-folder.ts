import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DecernError } from "@decern/core";
import { FileLock, hasCode } from "@decern/core/tools";
import { temporaryPattern } from "../parts/durable-file.js";
import type { ManifestPart } from "../parts/manifest.js";
import { blocksOf, isSystemError, refuse } from "./input-file.js";

/** The right to write a folder. */
export interface FolderLock {
  /** @throws DecernError `JOB_RUNNING` where another process has taken the folder */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** @throws DecernError `JOB_RUNNING` while another job writes the folder */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, "job.lock");
  const lock = await FileLock.take(path);
  if (lock === undefined) throw new DecernError("JOB_RUNNING", { detail: folder });
  return {
    async check() {
      if (await lock.renew()) return;
      throw new DecernError("JOB_RUNNING", { detail: `another process has taken ${path}` });
    },
    release: () => lock.release(),
  };
}

/**
 * Makes the folder of a job if there is none, and takes the right to write it.
 *
 * @throws DecernError `INVALID_OPTIONS` where it cannot be written
 * @throws DecernError `JOB_RUNNING` while another job writes it
 */
export async function openFolder(path: string): Promise<FolderLock> {
  try {
    await mkdir(path, { recursive: true });
    return await lockFolder(path);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const message = hasCode(cause, "EEXIST") ? "is not a folder" : `cannot be written: ${cause.message}`;
    throw refuse("/output", message, cause);
  }
}

/** @param onBlock - throws once the job is stopped */
export async function isIntact(
  folder: string,
  { file: name, done }: ManifestPart,
  onBlock: () => void,
): Promise<boolean> {
  if (done === undefined) return false;
  const file = await open(join(folder, name), "r").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return undefined;
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

export async function deleteTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (temporaryPattern.test(name)) await rm(join(folder, name), { force: true });
}

/**
 * Refuses a folder without a manifest that has other files: parts would mix with them, or replace them. A killed run may leave
 * temporary files, and a system has hidden files in a new folder, and `lost+found` on a volume.
 */
export async function refuseOtherFiles(folder: string): Promise<void> {
  const name = (await readdir(folder)).find(
    (name) => !temporaryPattern.test(name) && !/^(job\.lock|\.|lost\+found$)/.test(name),
  );
  if (name !== undefined)
    throw refuse("/output", `has ${name}, but no manifest.json of a job: give a new or empty folder`);
}
