import { join } from "node:path";
import { FileLock } from "@decern/core/tools";

/** The right to write a lane. */
export class LaneLock {
  readonly lane: number;
  readonly #path: string;
  readonly #lock: FileLock;

  private constructor(lane: number, path: string, lock: FileLock) {
    this.lane = lane;
    this.#path = path;
    this.#lock = lock;
  }

  /** @returns `undefined` while another one writes the lane */
  static async take(directory: string, lane: number): Promise<LaneLock | undefined> {
    const path = pathOf(directory, lane);
    const lock = await FileLock.take(path);
    return lock && new LaneLock(lane, path, lock);
  }

  /** Makes sure that the lane is still this one's, unless that was seen a moment ago. */
  async check(): Promise<void> {
    if (!(await this.#lock.check())) throw this.#lost();
  }

  async renew(): Promise<void> {
    if (!(await this.#lock.renew())) throw this.#lost();
  }

  release(): Promise<void> {
    return this.#lock.release();
  }

  #lost(): Error {
    return new Error(`another process has taken ${this.#path}`);
  }
}

/** Whether a lane has a writer, here or elsewhere. */
export function isLaneHeld(directory: string, lane: number): Promise<boolean> {
  return FileLock.isHeld(pathOf(directory, lane));
}

function pathOf(directory: string, lane: number): string {
  return join(directory, `${lane}.lock`);
}
