import { mkdir } from "node:fs/promises";
import { DecernError } from "@decern/core";
import { isSystemError, isTaken } from "../file-errors.js";
import { JobLock } from "./job-lock.js";

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
    const message = isTaken(cause) ? "is not a folder" : `cannot be written: ${cause.message}`;
    throw new DecernError("INVALID_OPTIONS", {
      detail: "bulkFile",
      problems: [{ path: "/output", message }],
      cause,
    });
  }
}
