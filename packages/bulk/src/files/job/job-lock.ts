import { join } from "node:path";
import { DecernError } from "@decern/core";
import { FileLock } from "@decern/core/tools";

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
