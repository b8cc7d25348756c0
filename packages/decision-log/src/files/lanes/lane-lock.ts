import { open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isForbidden, isMissing, isTaken } from "../lines/file-errors.js";

const touchMs = 10_000;
const staleMs = 60_000;
/** The locks of this thread. */
const held = new Set<string>();

/** The right to write a lane. It is renewed for as long as it is held. */
export class LaneLock {
  readonly lane: number;
  readonly #path: string;
  readonly #content: string;
  readonly #timer: NodeJS.Timeout;
  #touchedMs = Date.now();

  private constructor(lane: number, path: string, content: string) {
    this.lane = lane;
    this.#path = path;
    this.#content = content;
    held.add(path);
    this.#timer = setInterval(() => void this.renew().catch(() => {}), touchMs);
    this.#timer.unref();
  }

  /** @returns `undefined` while another one writes the lane */
  static async take(directory: string, lane: number): Promise<LaneLock | undefined> {
    const path = join(directory, `${lane}.lock`);
    if (held.has(path) || (await isHeld(path))) return undefined;
    // All that want the lane create this file first, so only one of them replaces a lock that was left behind.
    const next = `${path}.new`;
    if (Date.now() - (await touchedMs(next)) > staleMs) await rm(next, { force: true });
    const startedAt = new Date().toISOString();
    const content = JSON.stringify({ pid: process.pid, host: hostname(), startedAt });
    try {
      const handle = await open(next, "wx");
      await handle.writeFile(content).finally(() => handle.close());
      if (held.has(path) || (await isHeld(path))) {
        await rm(next, { force: true });
        return undefined;
      }
      await rename(next, path);
    } catch (error) {
      if (isTaken(error) || isMissing(error)) return undefined;
      await rm(next, { force: true }).catch(() => {});
      throw error;
    }
    return new LaneLock(lane, path, content);
  }

  /** Makes sure that the lane is still this one's: a process that was suspended for a minute has lost it. */
  async check(): Promise<void> {
    if (Date.now() - this.#touchedMs > staleMs / 2) await this.renew();
  }

  async renew(): Promise<void> {
    if ((await readFile(this.#path, "utf8").catch(() => "")) !== this.#content) {
      throw new Error(`another process has taken ${this.#path}`);
    }
    const now = new Date();
    await utimes(this.#path, now, now);
    this.#touchedMs = now.getTime();
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      const isOurs = (await readFile(this.#path, "utf8").catch(() => "")) === this.#content;
      if (isOurs) await rm(this.#path, { force: true });
    } finally {
      held.delete(this.#path);
    }
  }
}

/** Whether a lane has a writer, here or elsewhere. */
export async function isLaneHeld(directory: string, lane: number): Promise<boolean> {
  const path = join(directory, `${lane}.lock`);
  return held.has(path) || (await isHeld(path));
}

async function isHeld(path: string): Promise<boolean> {
  const touched = await touchedMs(path);
  if (touched === Number.POSITIVE_INFINITY || Date.now() - touched > staleMs) return false;
  const { pid, host } = ownerOf(await readFile(path, "utf8").catch(() => ""));
  if (host !== hostname() || pid === undefined) return true;
  // A thread of this process has touched it since the process started; a process before it, with the same id, has not.
  if (pid === process.pid) return touched > Date.now() - process.uptime() * 1000;
  return isAlive(pid);
}

/** Infinity for a file that does not exist. */
async function touchedMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

function ownerOf(text: string): { readonly pid: number | undefined; readonly host: unknown } {
  try {
    const owner: unknown = JSON.parse(text);
    if (typeof owner === "object" && owner !== null) {
      const pid: unknown = Reflect.get(owner, "pid");
      return { pid: typeof pid === "number" ? pid : undefined, host: Reflect.get(owner, "host") };
    }
  } catch {
    // A lock that cannot be read counts until nobody renews it.
  }
  return { pid: undefined, host: undefined };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isForbidden(error);
  }
}
