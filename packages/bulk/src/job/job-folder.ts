import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DecernError } from "@decern/core";
import { FileLock, hasCode } from "@decern/core/tools";
import { isSystemError } from "../disk/durable-files.js";
import type { ManifestPart } from "../manifest/manifest.js";
import { blocksOf } from "./input-file.js";

/** The right to write a folder. */
export class JobLock {
  readonly #path: string;
  readonly #lock: FileLock;

  private constructor(path: string, lock: FileLock) {
    this.#path = path;
    this.#lock = lock;
  }

  /** @throws DecernError `JOB_RUNNING` while another job writes the folder */
  static async take(folder: string): Promise<JobLock> {
    const path = join(folder, "job.lock");
    const lock = await FileLock.take(path);
    if (lock === undefined) throw new DecernError("JOB_RUNNING", { detail: folder });
    return new JobLock(path, lock);
  }

  /**
   * Makes sure that the folder is still this one's.
   *
   * @throws DecernError `JOB_RUNNING` where another process has taken it
   */
  async check(): Promise<void> {
    if (await this.#lock.renew()) return;
    throw new DecernError("JOB_RUNNING", { detail: `another process has taken ${this.#path}` });
  }

  release(): Promise<void> {
    return this.#lock.release();
  }
}

/**
 * Makes the folder of a job if there is none, and takes the right to write it.
 *
 * @throws DecernError `INVALID_OPTIONS` where it cannot be written
 * @throws DecernError `JOB_RUNNING` while another job writes it
 */
export async function openFolder(path: string): Promise<JobLock> {
  try {
    await mkdir(path, { recursive: true });
    return await JobLock.take(path);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const message = hasCode(cause, "EEXIST") ? "is not a folder" : `cannot be written: ${cause.message}`;
    throw new DecernError("INVALID_OPTIONS", {
      detail: "bulkFile",
      problems: [{ path: "/output", message }],
      cause,
    });
  }
}

/** Whether a part is in the folder as it was written. @param onBlock - throws once the job is stopped */
export async function isIntact(folder: string, part: ManifestPart, onBlock: () => void): Promise<boolean> {
  const { file: name, done } = part;
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
